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

/** The pages of those who are not signed in, by the first words of their path below /console/. */
export function DoorPage() {
  const [page = '', token = ''] = location.pathname.replace(/^\/console\/?/, '').split('/')
  if (page === 'invitations' && token !== '') return <Invitation token={token} />
  if (page === 'reset') return token === '' ? <ResetRequest /> : <NewPassword token={token} />
  if (page === 'set-up')
    return <FirstPerson token={token || (new URLSearchParams(location.search).get('token') ?? '')} />
  return <SignIn />
}
