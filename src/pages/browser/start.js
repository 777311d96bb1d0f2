// The link that a local start prints contains a token, with which pages may request the key of that start. This script
// removes the token from the address before other scripts see it. The token follows "#", so it was never sent; each
// start has another token.
{
  const token = /^#start=([\w-]+)$/.exec(location.hash)?.[1]
  if (token) {
    history.replaceState(null, '', location.pathname + location.search)
    // If the browser gives pages no storage, the reader types the key.
    try {
      localStorage.setItem('openfilings-start', token)
    } catch {}
  }
}
