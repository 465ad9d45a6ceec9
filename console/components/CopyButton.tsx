import { Popover, UnstyledButton } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useTranslator } from '../text/catalogue.ts'
import styles from './CopyButton.module.css'
import { componentTexts } from './texts.ts'

const SHOWN_MS = 1500

interface Props {
  value: string
  /** What stands on it; the value when absent. */
  label?: string
}

/** Copies a value. Where the clipboard is closed, the value is shown in a field, selected. */
export function CopyButton({ value, label }: Props) {
  const t = useTranslator(componentTexts)
  const [state, setState] = useState<'idle' | 'copied' | 'closed'>('idle')
  useEffect(() => {
    if (state !== 'copied') return
    const timer = setTimeout(() => setState('idle'), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [state])
  const copy = (): void => {
    const { clipboard } = navigator
    if (clipboard)
      clipboard.writeText(value).then(
        () => setState('copied'),
        () => setState('closed'),
      )
    else setState('closed')
  }
  return (
    <Popover opened={state === 'closed'} onChange={() => setState('idle')} trapFocus>
      <Popover.Target>
        <UnstyledButton className={styles['copy']} onClick={copy} title={state === 'copied' ? t('copied') : t('copy')}>
          <span className={label === undefined ? styles['value'] : undefined}>{label ?? value}</span>
          {state === 'copied' ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
          <span className="unseen" role="status">
            {state === 'copied' ? t('copied') : ''}
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
