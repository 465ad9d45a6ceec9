import { ActionIcon, UnstyledButton } from '@mantine/core'
import { IconMenu2, IconSearch } from '@tabler/icons-react'
import { useText } from '../text/catalogue.ts'
import { openDialog } from './dialogs/dialogs.ts'
import styles from './Top.module.css'
import { frameTexts } from './texts.ts'
import { Work } from './Work.tsx'

const isApple = /Mac|iPhone|iPad/.test(navigator.platform)

/** The line above every screen: the way to everything, and what runs in the background. */
export function Top() {
  const t = useText(frameTexts)
  return (
    <header className={styles['top']}>
      <div className={styles['left']}>
        <ActionIcon className={styles['menu']} size={36} aria-label={t('menu')} onClick={() => openDialog('bar')}>
          <IconMenu2 size={20} />
        </ActionIcon>
      </div>
      <UnstyledButton
        className={styles['search']}
        onClick={() => openDialog('search')}
        aria-keyshortcuts="Control+K Meta+K"
      >
        <IconSearch size={16} stroke={1.8} aria-hidden />
        <span className={styles['words']}>{t('search')}</span>
        <kbd aria-hidden>{isApple ? '⌘ K' : 'Ctrl K'}</kbd>
      </UnstyledButton>
      <div className={styles['right']}>
        <Work />
      </div>
    </header>
  )
}
