import { Modal } from '@mantine/core'
import { useTranslator } from '../../text/catalogue.ts'
import { layoutTexts } from '../texts.ts'
import { useActiveShortcuts } from './keys.tsx'
import styles from './ShortcutsDialog.module.css'

const isApplePlatform = /Mac|iPhone|iPad/.test(navigator.platform)
const KEY_LABELS: Record<string, string> = { Escape: 'Esc', ArrowDown: '↓', ArrowUp: '↑' }

function formatKey(key: string): string {
  const plainKey = key.replace('mod+', '')
  const name = KEY_LABELS[plainKey] ?? (plainKey.length === 1 ? plainKey.toUpperCase() : plainKey)
  return key.startsWith('mod+') ? `${isApplePlatform ? '⌘' : 'Ctrl'} ${name}` : name
}

/** The keys of this screen and of every one. */
export default function ShortcutsDialog({ onClose }: { onClose(): void }) {
  const t = useTranslator(layoutTexts)
  const shortcutsByLabel = Map.groupBy(useActiveShortcuts(), ({ label }) => label)
  return (
    <Modal opened onClose={onClose} title={t('keysTitle')} size={420} closeButtonProps={{ 'aria-label': t('close') }}>
      <dl className={styles['keys']}>
        {[...shortcutsByLabel].map(([label, shortcuts]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              {[...new Set(shortcuts.map(({ key }) => key))].map((key) => (
                <kbd key={key}>{formatKey(key)}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Modal>
  )
}
