import { ActionIcon, Button, Checkbox, Select, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import type { Form } from '../../parts/form/use-form.ts'
import { useText } from '../../text/catalogue.ts'
import type { Compilable, Parameter } from './compilable-kind.ts'
import { parsed } from './JsonField.tsx'
import styles from './Scripts.module.css'
import { scriptTexts } from './texts.ts'

const types = ['string', 'number', 'boolean', 'date', 'list', 'object']

/** A default of a text is the text itself, of anything else its JSON. */
const defaultOf = (text: string, type: string | null): unknown =>
  text === '' ? null : type === 'string' || type === 'date' ? text : (parsed(text)?.value ?? text)

const textOf = (value: unknown): string =>
  value === null || value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value)

interface LineProps {
  parameter: Parameter
  fault: string | undefined
  isReadOnly: boolean
  onChange(parameter: Parameter): void
  onRemove(): void
}

function Line({ parameter, fault, isReadOnly, onChange, onRemove }: LineProps) {
  const t = useText(scriptTexts)
  const { name, type, required } = parameter
  return (
    <div className={styles['parameter']}>
      <TextInput
        size="xs"
        aria-label={t('parameterName')}
        placeholder={t('parameterName')}
        error={fault}
        readOnly={isReadOnly}
        value={name ?? ''}
        onChange={(event) => onChange({ ...parameter, name: event.currentTarget.value })}
      />
      <Select
        size="xs"
        aria-label={t('type')}
        allowDeselect={false}
        readOnly={isReadOnly}
        data={types}
        value={type}
        onChange={(next) => onChange({ ...parameter, type: next })}
      />
      <TextInput
        size="xs"
        aria-label={t('default')}
        placeholder={t('default')}
        readOnly={isReadOnly}
        value={textOf(parameter.default)}
        onChange={(event) => onChange({ ...parameter, default: defaultOf(event.currentTarget.value, type) })}
      />
      <Checkbox
        size="xs"
        label={t('required')}
        disabled={isReadOnly}
        checked={required}
        onChange={(event) => onChange({ ...parameter, required: event.currentTarget.checked })}
      />
      {!isReadOnly && (
        <ActionIcon aria-label={t('removeNamed', { name: name ?? '' })} onClick={onRemove}>
          <IconX size={15} />
        </ActionIcon>
      )}
    </div>
  )
}

/** The arguments that it takes, with their types. */
export function Parameters({ form, isReadOnly }: { form: Form<Compilable>; isReadOnly: boolean }) {
  const t = useText(scriptTexts)
  const { parameters } = form.value.value
  const set = (next: readonly Parameter[]): void => form.set('/value/parameters', next)
  return (
    <div className={styles['stack']}>
      {parameters.length === 0 && <small>{t('noParameters')}</small>}
      {parameters.map((parameter, place) => (
        <Line
          // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place: its name changes while it is typed.
          key={place}
          parameter={parameter}
          fault={form.faultAt(`/value/parameters/${place}/name`)}
          isReadOnly={isReadOnly}
          onChange={(next) => set(parameters.with(place, next))}
          onRemove={() => set(parameters.toSpliced(place, 1))}
        />
      ))}
      {!isReadOnly && (
        <div>
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => set([...parameters, { name: '', type: 'string', required: false }])}
          >
            {t('addParameter')}
          </Button>
        </div>
      )}
    </div>
  )
}
