/** The logo, which is also the favicon: a page loads it once. A name always stands beside it. */
export const Logo = ({ size }: { readonly size: number }) => (
  <img src="/favicon.svg" alt="" width={size} height={size} />
)
