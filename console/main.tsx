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

const cspNonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? ''
const colorSchemes = createColourSchemeManager()
const reactRoot = createRoot(document.querySelector('#root')!)

function renderPage(language: ConsoleLanguage, page: ReactNode, zone = browserTimeZone()): void {
  const locale = resolveConsoleLocale(language, zone)
  document.documentElement.lang = locale.tag
  reactRoot.render(
    <StrictMode>
      <MantineProvider
        theme={mantineTheme}
        getStyleNonce={() => cspNonce}
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
async function showPublicPage(): Promise<void> {
  const { PublicPage: DoorPage } = await import('./boot/public-pages.tsx')
  renderPage(detectBrowserLanguage(), <DoorPage />)
}

function redirectToSignIn(): void {
  const currentPath = location.pathname + location.search
  location.replace(`/console/sign-in${currentPath === '/console/' ? '' : `?next=${encodeURIComponent(currentPath)}`}`)
}

/** To an account: the one of last time, else the first. */
async function enterAccount(currentUser: SignedInUser): Promise<void> {
  const { findLastAccount: lastAccount, NoAccount } = await import('./boot/boot.tsx')
  const code = lastAccount(currentUser)
  if (code !== undefined) location.replace(`/console/${code}/${location.search === '?set-up' ? 'set-up' : ''}`)
  else renderPage(currentUser.person.locale, <NoAccount me={currentUser} />)
}

async function startConsole(): Promise<void> {
  if (isPublicPath(location.pathname)) return showPublicPage()
  const appModule = import('./app.tsx')
  try {
    const [currentUser, accountZone] = await Promise.all([readCurrentUser(), readAccountZone()])
    if (accountId === null) return await enterAccount(currentUser)
    const { ConsoleApp: App } = await appModule
    renderPage(currentUser.person.locale, <App me={currentUser} />, accountZone)
  } catch (error) {
    if (error instanceof ApiRefusal && error.status === 401) return redirectToSignIn()
    const { StartFailure: Stopped } = await import('./boot/StartFailure.tsx')
    renderPage(detectBrowserLanguage(), <Stopped error={error} />)
  }
}

// For what locks the scroll bar behind a dialog.
setNonce(cspNonce)
reloadPageOnce()
applyPreferences()
void startConsole()
