import { Outlet, useRouter, useRouterState } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useRef } from 'react'
import { isServiceAway } from '../api/connection.ts'
import { useCurrentUser } from '../api/me.ts'
import { reauthenticationPrompt } from '../api/reauthentication.ts'
import { useSharedStore } from '../api/store.ts'
import { useTranslator } from '../text/catalogue.ts'
import { SidebarContent } from './bar/Bar.tsx'
import styles from './ConsoleLayout.module.css'
import { closeLayoutDialog, layoutDialogStore, openLayoutDialog } from './dialogs/dialogs.ts'
import { useShortcut } from './dialogs/keys.tsx'
import { SECOND_FACTOR_PATH, SecondFactorNotice, SecondFactorRequired } from './dialogs/SecondFactorRequired.tsx'
import { TopBar } from './TopBar.tsx'
import { layoutTexts } from './texts.ts'
import { ToastList } from './toasts.tsx'

const SearchDialog = lazy(() => import('../screens/search/SearchDialog.tsx'))
const KeysDialog = lazy(() => import('./dialogs/ShortcutsDialog.tsx'))
const GateDialog = lazy(() => import('./dialogs/ReauthenticationDialog.tsx'))
const BarSheet = lazy(() => import('./bar/SidebarSheet.tsx'))

/** Keys that work on every screen. */
function useFrameKeys(): void {
  const t = useTranslator(layoutTexts)
  const { history } = useRouter()
  useShortcut('mod+k', t('keySearch'), () => openLayoutDialog('search'))
  useShortcut('?', t('keyKeys'), () => openLayoutDialog('keys'))
  useShortcut('Escape', t('keyBack'), () => {
    if (history.canGoBack()) history.back()
  })
}

/** What lies over the screens, each part loaded when it is used. */
function Dialogs() {
  const open = useSharedStore(layoutDialogStore)
  const gate = useSharedStore(reauthenticationPrompt)
  return (
    <Suspense>
      {open === 'search' && <SearchDialog onClose={closeLayoutDialog} />}
      {open === 'keys' && <KeysDialog onClose={closeLayoutDialog} />}
      {open === 'bar' && <BarSheet onClose={closeLayoutDialog} />}
      {gate && <GateDialog asked={gate} />}
    </Suspense>
  )
}

function AwayLine() {
  const t = useTranslator(layoutTexts)
  const away = useSharedStore(isServiceAway)
  return (
    <div role="alert" className={styles['away']} hidden={!away}>
      {away && t('away')}
    </div>
  )
}

/** A new page begins at its top, for the eyes and for screen readers. */
function useFocusOnPage(): React.RefObject<HTMLElement | null> {
  const main = useRef<HTMLElement>(null)
  const path = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname })
  const before = useRef(path)
  useEffect(() => {
    if (before.current !== undefined && before.current !== path) main.current?.focus({ preventScroll: true })
    before.current = path
  }, [path])
  return main
}

/** The screen; where the account asks for a second factor, what leads to one. */
function Screen() {
  const { secondFactorRequired } = useCurrentUser()
  const isProfile = useRouterState({ select: ({ location }) => location.pathname === SECOND_FACTOR_PATH })
  if (secondFactorRequired && !isProfile) return <SecondFactorRequired />
  return (
    <>
      {secondFactorRequired && <SecondFactorNotice />}
      <Outlet />
    </>
  )
}

/** The left bar, the top, and the screen. */
export function ConsoleLayout() {
  const t = useTranslator(layoutTexts)
  const main = useFocusOnPage()
  useFrameKeys()
  return (
    <div className={styles['frame']}>
      <a href="#content" className={styles['skip']}>
        {t('skip')}
      </a>
      <aside className={styles['bar']} aria-label={t('menu')}>
        <SidebarContent />
      </aside>
      <div className={styles['side']}>
        <TopBar />
        <AwayLine />
        <main id="content" ref={main} tabIndex={-1} className={styles['main']}>
          <Suspense>
            <Screen />
          </Suspense>
        </main>
      </div>
      <Dialogs />
      <ToastList />
    </div>
  )
}
