import { RouterProvider } from '@tanstack/react-router'
import { useEffect } from 'react'
import { accountId } from './api/client.ts'
import { CurrentUserProvider, type SignedInUser } from './api/me.ts'
import { ShortcutsProvider } from './layout/dialogs/keys.tsx'
import { storeLocalPreference } from './layout/preferences.ts'
import { consoleRouter } from './router.tsx'

/** The console of one account, for a person who is signed in. */
export function ConsoleApp({ me }: { me: SignedInUser }) {
  useEffect(() => storeLocalPreference('account', accountId), [])
  return (
    <CurrentUserProvider value={me}>
      <ShortcutsProvider>
        <RouterProvider router={consoleRouter} />
      </ShortcutsProvider>
    </CurrentUserProvider>
  )
}
