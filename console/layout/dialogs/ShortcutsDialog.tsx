import { Modal } from '@mantine/core'
import { useTranslator } from '../../text/catalogue.ts'
import { layoutTexts } from '../texts.ts'
import { useActiveShortcuts } from './keys.tsx'
import styles from './ShortcutsDialog.module.css'

const isApple = /Mac|iPhone|iPad/.test(navigator.platform)
const SHOWN: Record<string, string> = { Escape: 'Esc', ArrowDown: '↓', ArrowUp: '↑' }

function shown(key: string): string {
  const plain = key.replace('mod+', '')
  const name = SHOWN[plain] ?? (plain.length === 1 ? plain.toUpperCase() : plain)
  return key.startsWith('mod+') ? `${isApple ? '⌘' : 'Ctrl'} ${name}` : name
}

/** The keys of this screen and of every one. */
export default function ShortcutsDialog({ onClose }: { onClose(): void }) {
  const t = useTranslator(layoutTexts)
  const byLabel = Map.groupBy(useActiveShortcuts(), ({ label }) => label)
  return (
    <Modal opened onClose={onClose} title={t('keysTitle')} size={420} closeButtonProps={{ 'aria-label': t('close') }}>
      <dl className={styles['keys']}>
        {[...byLabel].map(([label, shortcuts]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              {[...new Set(shortcuts.map(({ key }) => key))].map((key) => (
                <kbd key={key}>{shown(key)}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Modal>
  )
}
