// The link that a local start prints holds the start's token: pages may ask for its key with it. It is taken out of the
// address before anything else sees it. It follows "#", so it was never sent; a later start has another.
{
  const token = /^#start=([\w-]+)$/.exec(location.hash)?.[1]
  if (token) {
    history.replaceState(null, '', location.pathname + location.search)
    // Where storage is closed to pages, the key is typed in.
    try {
      localStorage.setItem('openfilings-start', token)
    } catch {}
  }
}
