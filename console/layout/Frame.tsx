import { Outlet, useRouter, useRouterState } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useRef } from 'react'
import { isAway } from '../api/connection.ts'
import { useMe } from '../api/me.ts'
import { asked } from '../api/reauthentication.ts'
import { useStore } from '../api/store.ts'
import { useText } from '../text/catalogue.ts'
import { BarContent } from './bar/Bar.tsx'
import { closeDialog, dialog, openDialog } from './dialogs/dialogs.ts'
import { FACTOR_PATH, FactorLine, FactorNeeded } from './dialogs/FactorNeeded.tsx'
import { useShortcut } from './dialogs/keys.tsx'
import styles from './Frame.module.css'
import { Top } from './Top.tsx'
import { frameTexts } from './texts.ts'
import { Toasts } from './toasts.tsx'

const SearchDialog = lazy(() => import('../screens/search/SearchDialog.tsx'))
const KeysDialog = lazy(() => import('./dialogs/KeysDialog.tsx'))
const GateDialog = lazy(() => import('./dialogs/ReauthenticationDialog.tsx'))
const BarSheet = lazy(() => import('./bar/BarSheet.tsx'))

/** Keys that work on every screen. */
function useFrameKeys(): void {
  const t = useText(frameTexts)
  const { history } = useRouter()
  useShortcut('mod+k', t('keySearch'), () => openDialog('search'))
  useShortcut('?', t('keyKeys'), () => openDialog('keys'))
  useShortcut('Escape', t('keyBack'), () => {
    if (history.canGoBack()) history.back()
  })
}

/** What lies over the screens, each part loaded when it is used. */
function Dialogs() {
  const open = useStore(dialog)
  const gate = useStore(asked)
  return (
    <Suspense>
      {open === 'search' && <SearchDialog onClose={closeDialog} />}
      {open === 'keys' && <KeysDialog onClose={closeDialog} />}
      {open === 'bar' && <BarSheet onClose={closeDialog} />}
      {gate && <GateDialog asked={gate} />}
    </Suspense>
  )
}

function AwayLine() {
  const t = useText(frameTexts)
  const away = useStore(isAway)
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
  const { secondFactorRequired } = useMe()
  const isProfile = useRouterState({ select: ({ location }) => location.pathname === FACTOR_PATH })
  if (secondFactorRequired && !isProfile) return <FactorNeeded />
  return (
    <>
      {secondFactorRequired && <FactorLine />}
      <Outlet />
    </>
  )
}

/** The left bar, the top, and the screen. */
export function Frame() {
  const t = useText(frameTexts)
  const main = useFocusOnPage()
  useFrameKeys()
  return (
    <div className={styles['frame']}>
      <a href="#content" className={styles['skip']}>
        {t('skip')}
      </a>
      <aside className={styles['bar']} aria-label={t('menu')}>
        <BarContent />
      </aside>
      <div className={styles['side']}>
        <Top />
        <AwayLine />
        <main id="content" ref={main} tabIndex={-1} className={styles['main']}>
          <Suspense>
            <Screen />
          </Suspense>
        </main>
      </div>
      <Dialogs />
      <Toasts />
    </div>
  )
}
