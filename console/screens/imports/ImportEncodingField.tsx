import { Select } from '@mantine/core'
import { useTranslator } from '../../text/catalogue.ts'
import { useLocaleFormat } from '../../text/format.ts'
import { useImportEncodings } from './encodings.ts'
import styles from './ImportsPage.module.css'
import type { ApiImportPreview } from './mapping.ts'
import { importTexts } from './texts.ts'

interface Props {
  preview: ApiImportPreview
  isBusy?: boolean
  isReadOnly?: boolean
  onChange(encoding: string): void
}

/** A choice of the encoding that a file is read in, with cells that show whether it is the right one. */
export function ImportEncodingField({
  preview: { encoding, samples },
  isBusy = false,
  isReadOnly = false,
  onChange,
}: Props) {
  const t = useTranslator(importTexts)
  const format = useLocaleFormat()
  const encodingChoices = useImportEncodings()
  return (
    <div className={styles['encoding']}>
      <Select
        label={t('encoding')}
        description={samples.length > 0 ? t('encodingHelp') : t('encodingPlain')}
        allowDeselect={false}
        disabled={isBusy}
        readOnly={isReadOnly}
        data={encodingChoices(encoding)}
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
