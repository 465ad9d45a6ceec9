import { lazy, useEffect, useState } from 'react'
import { SignInPage } from '../screens/sign-in/SignInPage.tsx'

const LazyInvitationPage = lazy(() =>
  import('../screens/sign-in/InvitationPage.tsx').then((module) => ({ default: module.InvitationPage })),
)
const LazyResetRequestPage = lazy(() =>
  import('../screens/sign-in/Reset.tsx').then((module) => ({ default: module.PasswordResetPage })),
)
const LazyNewPasswordPage = lazy(() =>
  import('../screens/sign-in/Reset.tsx').then((module) => ({ default: module.NewPasswordPage })),
)
const LazyFirstUserPage = lazy(() =>
  import('../screens/set-up/FirstUserPage.tsx').then((module) => ({ default: module.FirstUserPage })),
)

const readToken = (parameters: string): string => new URLSearchParams(parameters).get('token') ?? ''

/** The token of a link. Links that were sent before have it in the query: it is brought behind #, where no server sees it. */
function extractLinkToken(): string {
  const queryToken = readToken(location.search)
  if (queryToken !== '') history.replaceState(history.state, '', `${location.pathname}#token=${queryToken}`)
  return readToken(location.hash.slice(1))
}

/** The pages of those who are not signed in, by their path; links of mails and of the first start bring a token. */
export function PublicPage() {
  const [token] = useState(extractLinkToken)
  // Another link in the same tab loads no page by itself.
  useEffect(() => {
    const reloadPage = (): void => location.reload()
    addEventListener('hashchange', reloadPage)
    return () => removeEventListener('hashchange', reloadPage)
  }, [])
  switch (location.pathname) {
    case '/console/invitation':
      return <LazyInvitationPage token={token} />
    case '/console/reset':
      return token === '' ? <LazyResetRequestPage /> : <LazyNewPasswordPage token={token} />
    case '/console/setup':
      return <LazyFirstUserPage token={token} />
    default:
      return <SignInPage />
  }
}
