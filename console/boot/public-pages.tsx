import { lazy, useEffect, useState } from 'react'
import { SignInPage } from '../screens/sign-in/SignInPage.tsx'

const Invitation = lazy(() =>
  import('../screens/sign-in/InvitationPage.tsx').then((module) => ({ default: module.InvitationPage })),
)
const ResetRequest = lazy(() =>
  import('../screens/sign-in/Reset.tsx').then((module) => ({ default: module.PasswordResetPage })),
)
const NewPassword = lazy(() =>
  import('../screens/sign-in/Reset.tsx').then((module) => ({ default: module.NewPasswordPage })),
)
const FirstPerson = lazy(() =>
  import('../screens/set-up/FirstUserPage.tsx').then((module) => ({ default: module.FirstUserPage })),
)

const tokenIn = (parameters: string): string => new URLSearchParams(parameters).get('token') ?? ''

/** The token of a link. Links that were sent before have it in the query: it is brought behind #, where no server sees it. */
function tokenOfLink(): string {
  const old = tokenIn(location.search)
  if (old !== '') history.replaceState(history.state, '', `${location.pathname}#token=${old}`)
  return tokenIn(location.hash.slice(1))
}

/** The pages of those who are not signed in, by their path; links of mails and of the first start bring a token. */
export function PublicPage() {
  const [token] = useState(tokenOfLink)
  // Another link in the same tab loads no page by itself.
  useEffect(() => {
    const load = (): void => location.reload()
    addEventListener('hashchange', load)
    return () => removeEventListener('hashchange', load)
  }, [])
  switch (location.pathname) {
    case '/console/invitation':
      return <Invitation token={token} />
    case '/console/reset':
      return token === '' ? <ResetRequest /> : <NewPassword token={token} />
    case '/console/setup':
      return <FirstPerson token={token} />
    default:
      return <SignInPage />
  }
}
