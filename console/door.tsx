import { lazy } from 'react'
import { SignIn } from './screens/sign-in/SignIn.tsx'

const Invitation = lazy(() =>
  import('./screens/sign-in/Invitation.tsx').then((module) => ({ default: module.Invitation })),
)
const ResetRequest = lazy(() =>
  import('./screens/sign-in/Reset.tsx').then((module) => ({ default: module.ResetRequest })),
)
const NewPassword = lazy(() =>
  import('./screens/sign-in/Reset.tsx').then((module) => ({ default: module.NewPassword })),
)
const FirstPerson = lazy(() =>
  import('./screens/set-up/FirstPerson.tsx').then((module) => ({ default: module.FirstPerson })),
)

/** The pages of those who are not signed in, by their path; links of mails and of the first start bring a token. */
export function DoorPage() {
  const token = new URLSearchParams(location.search).get('token') ?? ''
  switch (location.pathname) {
    case '/console/invitation':
      return <Invitation token={token} />
    case '/console/reset':
      return token === '' ? <ResetRequest /> : <NewPassword token={token} />
    case '/console/setup':
      return <FirstPerson token={token} />
    default:
      return <SignIn />
  }
}
