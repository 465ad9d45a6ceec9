import { SegmentedControl } from '@mantine/core'
import type { ReactNode } from 'react'
import { JsonTextField, type JsonTextProps } from '../../components/code/FormJsonField.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import styles from './Scripts.module.css'
import { scriptTexts } from './texts.ts'

interface Props extends Pick<JsonTextProps, 'label' | 'value' | 'onChange' | 'faults'> {
  help: string
  isJson: boolean
  onJson(isJson: boolean): void
  /** Typed text that is not valid JSON yet; null if there is none. */
  typed: string | null
  onTyped(typed: string | null): void
  /** The fields. */
  children: ReactNode
}

/** The same value in fields or as JSON; a text that is no JSON yet waits while the fields are shown. */
export function FormOrJson({ isJson, onJson, children, help, ...text }: Props) {
  const t = useTranslator(scriptTexts)
  return (
    <div className={styles['stack']}>
      <SegmentedControl
        size="xs"
        style={{ justifySelf: 'start' }}
        aria-label={t('givenAs')}
        data={[
          { value: 'form', label: t('asForm') },
          { value: 'json', label: t('json') },
        ]}
        value={isJson ? 'json' : 'form'}
        onChange={(next) => onJson(next === 'json')}
      />
      {isJson ? <JsonTextField {...text} help={help} /> : children}
    </div>
  )
}
