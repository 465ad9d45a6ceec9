import { Popover, UnstyledButton } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useTranslator } from '../text/catalogue.ts'
import styles from './CopyButton.module.css'
import { componentTexts } from './texts.ts'

const RESET_DELAY_MS = 1500

interface Props {
  value: string
  /** Label of the button; the value when absent. */
  label?: string
}

/** Copies a value. Where the clipboard is closed, the value is shown in a field, selected. */
export function CopyButton({ value, label }: Props) {
  const t = useTranslator(componentTexts)
  const [copyState, setCopyState] = useState<'idle' | 'copied' | 'closed'>('idle')
  useEffect(() => {
    if (copyState !== 'copied') return
    const timer = setTimeout(() => setCopyState('idle'), RESET_DELAY_MS)
    return () => clearTimeout(timer)
  }, [copyState])
  const copyValue = (): void => {
    const { clipboard } = navigator
    if (clipboard)
      clipboard.writeText(value).then(
        () => setCopyState('copied'),
        () => setCopyState('closed'),
      )
    else setCopyState('closed')
  }
  return (
    <Popover opened={copyState === 'closed'} onChange={() => setCopyState('idle')} trapFocus>
      <Popover.Target>
        <UnstyledButton
          className={styles['copy']}
          onClick={copyValue}
          title={copyState === 'copied' ? t('copied') : t('copy')}
        >
          <span className={label === undefined ? styles['value'] : undefined}>{label ?? value}</span>
          {copyState === 'copied' ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
          <span className="unseen" role="status">
            {copyState === 'copied' ? t('copied') : ''}
          </span>
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown>
        <label className={styles['field']}>
          <small>{t('copySelf')}</small>
          <input readOnly value={value} onFocus={(event) => event.currentTarget.select()} data-autofocus />
        </label>
      </Popover.Dropdown>
    </Popover>
  )
}
