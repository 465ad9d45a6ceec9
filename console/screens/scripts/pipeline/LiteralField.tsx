import { NumberInput, Select, TagsInput, TextInput } from '@mantine/core'
import { JsonTextField } from '../../../components/code/FormJsonField.tsx'
import { DateValueField, OperatorValueField } from '../../../components/criteria/values.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import { scriptTexts } from '../texts.ts'
import type { LiteralKind } from './literals.ts'
import styles from './Pipeline.module.css'

interface Props {
  kind: LiteralKind
  label: string
  value: unknown
  error?: string | undefined
  isReadOnly: boolean
  onChange(value: unknown): void
}

/** A list of texts or numbers: what is no number is not taken into one of numbers. */
function ListField({ kind, label, value, error, isReadOnly, onChange }: Props) {
  const t = useTranslator(scriptTexts)
  const parseTexts = (texts: string[]): unknown[] =>
    kind === 'numbers' ? texts.map(Number).filter((parsedNumber) => Number.isFinite(parsedNumber)) : texts
  return (
    <TagsInput
      size="xs"
      className={styles['wide']!}
      aria-label={label}
      placeholder={t('enterEach')}
      error={error}
      readOnly={isReadOnly}
      value={(Array.isArray(value) ? value : []).map(String)}
      onChange={(next) => onChange(parseTexts(next))}
    />
  )
}

/** A value that is given, in the way that fits its kind. */
export function LiteralField(props: Props) {
  const { kind, label, value, error, isReadOnly, onChange } = props
  const t = useTranslator(scriptTexts)
  const inputProps = { size: 'xs', 'aria-label': label, error, readOnly: isReadOnly } as const
  if (kind === 'nothing') return null
  if (kind === 'number')
    return (
      <NumberInput
        {...inputProps}
        hideControls
        className={styles['wide']!}
        value={typeof value === 'number' ? value : ''}
        onChange={(next) => onChange(typeof next === 'number' ? next : next === '' ? 0 : Number(next))}
      />
    )
  if (kind === 'truth')
    return (
      <Select
        {...inputProps}
        allowDeselect={false}
        data={[
          { value: 'true', label: t('yes') },
          { value: 'false', label: t('no') },
        ]}
        value={String(value === true)}
        onChange={(next) => onChange(next === 'true')}
      />
    )
  if (kind === 'date') return <DateValueField label={label} value={value} onChange={onChange} />
  if (kind === 'texts' || kind === 'numbers') return <ListField {...props} />
  if (kind === 'json')
    return (
      <div className={styles['wide']}>
        <JsonTextField
          isLabelHidden
          label={label}
          minHeight={36}
          value={value}
          error={error}
          readOnly={isReadOnly}
          onChange={onChange}
        />
      </div>
    )
  if (kind === 'text')
    return (
      <TextInput
        {...inputProps}
        className={styles['wide']!}
        value={String(value ?? '')}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    )
  return (
    <fieldset className={styles['moments']} aria-label={label} disabled={isReadOnly}>
      <OperatorValueField kind={kind} field={undefined} labels={[]} value={value} onChange={onChange} />
    </fieldset>
  )
}
