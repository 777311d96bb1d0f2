/** The package has no types of its own. */
declare module 'zipcodes' {
  interface ZipCode {
    zip: string
    latitude: number
    longitude: number
    city: string
    state: string
    country: string
  }
  const zipcodes: { lookup(zip: string): ZipCode | undefined }
  export default zipcodes
}
