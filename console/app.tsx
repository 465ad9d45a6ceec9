import { RouterProvider } from '@tanstack/react-router'
import { useEffect } from 'react'
import { account } from './api/client.ts'
import { MeProvider, type SignedIn } from './api/me.ts'
import { KeysProvider } from './layout/dialogs/keys.tsx'
import { keep } from './layout/preferences.ts'
import { router } from './router.tsx'

/** The console of one account, for a person who is signed in. */
export function App({ me }: { me: SignedIn }) {
  useEffect(() => keep('account', account), [])
  return (
    <MeProvider value={me}>
      <KeysProvider>
        <RouterProvider router={router} />
      </KeysProvider>
    </MeProvider>
  )
}
