import { ActionIcon, UnstyledButton } from '@mantine/core'
import { IconMenu2, IconSearch } from '@tabler/icons-react'
import { useTranslator } from '../text/catalogue.ts'
import { BackgroundWork } from './BackgroundWork.tsx'
import { openLayoutDialog, openSearch } from './dialogs/dialogs.ts'
import styles from './TopBar.module.css'
import { layoutTexts } from './texts.ts'

const isApplePlatform = /Mac|iPhone|iPad/.test(navigator.platform)

/** The line above every screen: the way to everything, and what runs in the background. */
export function TopBar() {
  const t = useTranslator(layoutTexts)
  return (
    <header className={styles['top']}>
      <div className={styles['left']}>
        <ActionIcon className={styles['menu']} size={36} aria-label={t('menu')} onClick={() => openLayoutDialog('bar')}>
          <IconMenu2 size={20} />
        </ActionIcon>
      </div>
      <UnstyledButton className={styles['search']} onClick={openSearch} aria-keyshortcuts="Control+K Meta+K">
        <IconSearch size={16} stroke={1.8} aria-hidden />
        <span className={styles['words']}>{t('search')}</span>
        <kbd aria-hidden>{isApplePlatform ? '⌘ K' : 'Ctrl K'}</kbd>
      </UnstyledButton>
      <div className={styles['right']}>
        <BackgroundWork />
      </div>
    </header>
  )
}
