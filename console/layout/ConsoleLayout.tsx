import { Outlet, useRouter, useRouterState } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useRef } from 'react'
import { isServiceAway } from '../api/connection.ts'
import { useCurrentUser } from '../api/me.ts'
import { reauthenticationPrompt } from '../api/reauthentication.ts'
import { useSharedStore } from '../api/store.ts'
import { useTranslator } from '../text/catalogue.ts'
import { SidebarContent } from './bar/Bar.tsx'
import styles from './ConsoleLayout.module.css'
import { closeLayoutDialog, layoutDialogStore, openLayoutDialog, openSearch } from './dialogs/dialogs.ts'
import { useShortcut } from './dialogs/keys.tsx'
import { SECOND_FACTOR_PATH, SecondFactorNotice, SecondFactorRequired } from './dialogs/SecondFactorRequired.tsx'
import { TopBar } from './TopBar.tsx'
import { layoutTexts } from './texts.ts'
import { ToastList } from './toasts.tsx'

const loadSearchDialog = () => import('../screens/search/SearchDialog.tsx')
const LazySearchDialog = lazy(loadSearchDialog)
const LazyShortcutsDialog = lazy(() => import('./dialogs/ShortcutsDialog.tsx'))
const LazyReauthentication = lazy(() => import('./dialogs/ReauthenticationDialog.tsx'))
const LazySidebarSheet = lazy(() => import('./bar/SidebarSheet.tsx'))

/** Keys that work on every screen. */
function useLayoutShortcuts(): void {
  const t = useTranslator(layoutTexts)
  const { history } = useRouter()
  useShortcut('mod+k', t('keySearch'), openSearch)
  useShortcut('?', t('keyKeys'), () => openLayoutDialog('keys'))
  useShortcut('Escape', t('keyBack'), () => {
    if (history.canGoBack()) history.back()
  })
}

/** Dialogs above the screens; each part is loaded on first use. */
function LayoutDialogs() {
  const openDialog = useSharedStore(layoutDialogStore)
  const reauthentication = useSharedStore(reauthenticationPrompt)
  return (
    <Suspense>
      {openDialog === 'search' && <LazySearchDialog onClose={closeLayoutDialog} />}
      {openDialog === 'keys' && <LazyShortcutsDialog onClose={closeLayoutDialog} />}
      {openDialog === 'bar' && <LazySidebarSheet onClose={closeLayoutDialog} />}
      {reauthentication && <LazyReauthentication asked={reauthentication} />}
    </Suspense>
  )
}

function ServiceAwayNotice() {
  const t = useTranslator(layoutTexts)
  const isAway = useSharedStore(isServiceAway)
  return (
    <div role="alert" className={styles['away']} hidden={!isAway}>
      {isAway && t('away')}
    </div>
  )
}

/** A new page begins at its top, for the eyes and for screen readers. */
function useFocusOnPage(): React.RefObject<HTMLElement | null> {
  const mainRef = useRef<HTMLElement>(null)
  const path = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname })
  const previousPath = useRef(path)
  useEffect(() => {
    if (previousPath.current !== undefined && previousPath.current !== path)
      mainRef.current?.focus({ preventScroll: true })
    previousPath.current = path
  }, [path])
  return mainRef
}

/** The screen; where the account asks for a second factor, what leads to one. */
function ScreenOutlet() {
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

/** Loads the search when the browser has nothing else to do. */
function usePreloadedSearch(): void {
  useEffect(() => {
    if (!('requestIdleCallback' in window)) return
    const handle = requestIdleCallback(() => void loadSearchDialog().catch(() => undefined))
    return () => cancelIdleCallback(handle)
  }, [])
}

/** The left bar, the top, and the screen. */
export function ConsoleLayout() {
  const t = useTranslator(layoutTexts)
  const mainRef = useFocusOnPage()
  useLayoutShortcuts()
  usePreloadedSearch()
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
        <ServiceAwayNotice />
        <main id="content" ref={mainRef} tabIndex={-1} className={styles['main']}>
          <Suspense>
            <ScreenOutlet />
          </Suspense>
        </main>
      </div>
      <LayoutDialogs />
      <ToastList />
    </div>
  )
}
