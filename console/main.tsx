import './theme/layers.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { setNonce } from 'get-nonce'
import { type ReactNode, StrictMode, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import { accountId } from './api/client.ts'
import { readAccountZone, readCurrentUser, type SignedInUser } from './api/me.ts'
import { createQueryClient } from './api/queries.ts'
import { ApiRefusal } from './api/refusal.ts'
import { isPublicPath } from './boot/public-paths.ts'
import { reloadPageOnce } from './boot/reload-once.ts'
import { applyPreferences, createColourSchemeManager } from './layout/preferences.ts'
import {
  browserTimeZone,
  type ConsoleLanguage,
  detectBrowserLanguage,
  LocaleProvider,
  resolveConsoleLocale,
} from './text/locale.ts'
import { mantineTheme } from './theme/theme.ts'

const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? ''
const colorSchemes = createColourSchemeManager()
const root = createRoot(document.querySelector('#root')!)

function show(language: ConsoleLanguage, page: ReactNode, zone = browserTimeZone()): void {
  const locale = resolveConsoleLocale(language, zone)
  document.documentElement.lang = locale.tag
  root.render(
    <StrictMode>
      <MantineProvider
        theme={mantineTheme}
        getStyleNonce={() => nonce}
        colorSchemeManager={colorSchemes}
        defaultColorScheme="auto"
      >
        <QueryClientProvider client={createQueryClient()}>
          <LocaleProvider value={locale}>
            <Suspense>{page}</Suspense>
          </LocaleProvider>
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  )
}

/** The pages of those who are not signed in. */
async function showDoor(): Promise<void> {
  const { PublicPage: DoorPage } = await import('./boot/public-pages.tsx')
  show(detectBrowserLanguage(), <DoorPage />)
}

function toSignIn(): void {
  const here = location.pathname + location.search
  location.replace(`/console/sign-in${here === '/console/' ? '' : `?next=${encodeURIComponent(here)}`}`)
}

/** To an account: the one of last time, else the first. */
async function enterAccount(me: SignedInUser): Promise<void> {
  const { findLastAccount: lastAccount, NoAccount } = await import('./boot/boot.tsx')
  const code = lastAccount(me)
  if (code !== undefined) location.replace(`/console/${code}/${location.search === '?set-up' ? 'set-up' : ''}`)
  else show(me.person.locale, <NoAccount me={me} />)
}

async function start(): Promise<void> {
  if (isPublicPath(location.pathname)) return showDoor()
  const app = import('./app.tsx')
  try {
    const [me, zone] = await Promise.all([readCurrentUser(), readAccountZone()])
    if (accountId === null) return await enterAccount(me)
    const { ConsoleApp: App } = await app
    show(me.person.locale, <App me={me} />, zone)
  } catch (error) {
    if (error instanceof ApiRefusal && error.status === 401) return toSignIn()
    const { StartFailure: Stopped } = await import('./boot/StartFailure.tsx')
    show(detectBrowserLanguage(), <Stopped error={error} />)
  }
}

// For what locks the scroll bar behind a dialog.
setNonce(nonce)
reloadPageOnce()
applyPreferences()
void start()
