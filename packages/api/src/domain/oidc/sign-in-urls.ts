/** The sign-in page of a workspace. */
export const signInUrl = (publicUrl: string, workspaceId: string) =>
  `${publicUrl}/sign-in/${workspaceId}`

/** Where the identity provider sends the browser with the code. */
export const redirectUri = (publicUrl: string, workspaceId: string) =>
  `${signInUrl(publicUrl, workspaceId)}/oidc/callback`
