import './theme/layers.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { setNonce } from 'get-nonce'
import { type ReactNode, StrictMode, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import { account } from './api/client.ts'
import { readMe, readZone, type SignedIn } from './api/me.ts'
import { createQueries } from './api/queries.ts'
import { Refusal } from './api/refusal.ts'
import { isDoor } from './boot/public-paths.ts'
import { reloadOnce } from './boot/reload-once.ts'
import { applyPreferences, schemeManager } from './layout/preferences.ts'
import { browserLanguage, type Language, LocaleProvider, localeOf, ownZone } from './text/locale.ts'
import { theme } from './theme/theme.ts'

const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? ''
const colorSchemes = schemeManager()
const root = createRoot(document.querySelector('#root')!)

function show(language: Language, page: ReactNode, zone = ownZone()): void {
  const locale = localeOf(language, zone)
  document.documentElement.lang = locale.tag
  root.render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        getStyleNonce={() => nonce}
        colorSchemeManager={colorSchemes}
        defaultColorScheme="auto"
      >
        <QueryClientProvider client={createQueries()}>
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
  const { DoorPage } = await import('./boot/public-pages.tsx')
  show(browserLanguage(), <DoorPage />)
}

function toSignIn(): void {
  const here = location.pathname + location.search
  location.replace(`/console/sign-in${here === '/console/' ? '' : `?next=${encodeURIComponent(here)}`}`)
}

/** To an account: the one of last time, else the first. */
async function enterAccount(me: SignedIn): Promise<void> {
  const { lastAccount, NoAccount } = await import('./boot/boot.tsx')
  const code = lastAccount(me)
  if (code !== undefined) location.replace(`/console/${code}/${location.search === '?set-up' ? 'set-up' : ''}`)
  else show(me.person.locale, <NoAccount me={me} />)
}

async function start(): Promise<void> {
  if (isDoor(location.pathname)) return showDoor()
  const app = import('./app.tsx')
  try {
    const [me, zone] = await Promise.all([readMe(), readZone()])
    if (account === null) return await enterAccount(me)
    const { App } = await app
    show(me.person.locale, <App me={me} />, zone)
  } catch (error) {
    if (error instanceof Refusal && error.status === 401) return toSignIn()
    const { Stopped } = await import('./boot/Stopped.tsx')
    show(browserLanguage(), <Stopped error={error} />)
  }
}

// For what locks the scroll bar behind a dialog.
setNonce(nonce)
reloadOnce()
applyPreferences()
void start()
