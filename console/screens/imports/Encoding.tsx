import { Select } from '@mantine/core'
import { useText } from '../../text/catalogue.ts'
import { useFormat } from '../../text/format.ts'
import { useEncodings } from './encodings.ts'
import styles from './Imports.module.css'
import type { Preview } from './mapping.ts'
import { importTexts } from './texts.ts'

interface Props {
  preview: Preview
  isBusy?: boolean
  isReadOnly?: boolean
  onChange(encoding: string): void
}

/** A choice of the encoding that a file is read in, with cells that show whether it is the right one. */
export function Encoding({ preview: { encoding, samples }, isBusy = false, isReadOnly = false, onChange }: Props) {
  const t = useText(importTexts)
  const format = useFormat()
  const choices = useEncodings()
  return (
    <div className={styles['encoding']}>
      <Select
        label={t('encoding')}
        description={samples.length > 0 ? t('encodingHelp') : t('encodingPlain')}
        allowDeselect={false}
        disabled={isBusy}
        readOnly={isReadOnly}
        data={choices(encoding)}
        value={encoding}
        onChange={(value) => value !== null && onChange(value)}
      />
      {samples.length > 0 && (
        <p role="status">
          <bdi>{format.list(samples)}</bdi>
        </p>
      )}
    </div>
  )
}
