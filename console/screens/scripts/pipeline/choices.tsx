import { Checkbox, NumberInput, Select, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import type { FieldChoice } from '../../../components/form/fields.tsx'
import { readPointerValue } from '../../../components/form/pointers.ts'
import { useTranslator } from '../../../text/catalogue.ts'
import { scriptTexts } from '../texts.ts'
import { usePipelineEditor, usePipelineFault } from './desk.ts'
import { pathExpression } from './kinds.ts'
import styles from './Pipeline.module.css'

interface Props {
  at: string
  label: string
}

const LITERAL_CHOICE = 'given'

/** The path of an argument, where one stands. */
function findArgumentPath(value: unknown): string | undefined {
  const isPath = value !== null && typeof value === 'object' && (value as { type?: unknown }).type === 'path'
  return isPath ? String((value as { value: unknown }).value) : undefined
}

/** Something of the account by its name, or by the id that an argument gives. `isNumber`: ids are numbers. */
export function ReferenceField(
  props: Props & {
    choices: readonly FieldChoice[]
    isNumber?: boolean
    canBeArgument?: boolean
    onChosen?(id: string): void
  },
) {
  const { at, label, choices, isNumber = false, canBeArgument = false, onChosen } = props
  const t = useTranslator(scriptTexts)
  const { form, isReadOnly, argumentPaths } = usePipelineEditor()
  const storedValue = readPointerValue(form.value, at)
  const path = findArgumentPath(storedValue)
  const value =
    path ?? (storedValue === null || storedValue === undefined || storedValue === '' ? null : String(storedValue))
  const argumentChoices = canBeArgument ? [...new Set([...argumentPaths, ...(path === undefined ? [] : [path])])] : []
  // What is gone, or of another kind, is still shown.
  const isListed = value === null || path !== undefined || choices.some((option) => option.value === value)
  const items = isListed ? choices : [...choices, { value, label: value }]
  const chooseReference = (next: string): void => {
    if (argumentChoices.includes(next)) form.set(at, pathExpression(next))
    else if (onChosen) onChosen(next)
    else form.set(at, isNumber ? Number(next) : next)
  }
  return (
    <Select
      size="xs"
      maw={420}
      searchable
      limit={200}
      label={label}
      placeholder={t('choose')}
      allowDeselect={false}
      readOnly={isReadOnly}
      error={usePipelineFault(at, `${at}/value`)}
      data={
        argumentChoices.length === 0
          ? [...items]
          : [
              { group: t('given'), items: [...items] },
              { group: t('parameters'), items: argumentChoices.map((option) => ({ value: option, label: option })) },
            ]
      }
      value={value}
      onChange={(next) => next !== null && chooseReference(next)}
    />
  )
}

/** A number of rows, or the argument that gives it. */
export function RowCountField({ at, label, absent }: Props & { absent: number }) {
  const t = useTranslator(scriptTexts)
  const { form, isReadOnly, argumentPaths } = usePipelineEditor()
  const storedValue = readPointerValue(form.value, at)
  const path = findArgumentPath(storedValue)
  const argumentChoices = [...new Set([...argumentPaths, ...(path === undefined ? [] : [path])])]
  const error = usePipelineFault(at, `${at}/value`)
  return (
    <div className={styles['row']}>
      {path === undefined && (
        <NumberInput
          size="xs"
          w={140}
          min={0}
          allowDecimal={false}
          hideControls
          label={label}
          error={error}
          readOnly={isReadOnly}
          value={typeof storedValue === 'number' ? storedValue : absent}
          onChange={(next) => form.set(at, typeof next === 'number' ? next : 0)}
        />
      )}
      {(argumentChoices.length > 0 || path !== undefined) && (
        <Select
          size="xs"
          w={200}
          label={path === undefined ? t('orArgument') : label}
          aria-label={`${label}: ${t('orArgument')}`}
          error={path === undefined ? undefined : error}
          allowDeselect={false}
          readOnly={isReadOnly}
          data={[
            { value: LITERAL_CHOICE, label: t('given') },
            ...argumentChoices.map((option) => ({ value: option, label: option })),
          ]}
          value={path ?? LITERAL_CHOICE}
          onChange={(next) => next !== null && form.set(at, next === LITERAL_CHOICE ? absent : pathExpression(next))}
        />
      )}
    </div>
  )
}

/** Fields that belong together, with a name. */
export function PipelineFieldGroup({ label, children }: { label: string; children: ReactNode }) {
  return (
    <fieldset className={styles['lines']}>
      <legend>{label}</legend>
      {children}
    </fieldset>
  )
}

/** Yes or no, of a member. */
export function PipelineSwitchField({ at, label }: { at: string; label: string }) {
  const { form, isReadOnly } = usePipelineEditor()
  return (
    <Checkbox
      size="xs"
      label={label}
      disabled={isReadOnly}
      checked={readPointerValue(form.value, at) === true}
      onChange={(event) => form.set(at, event.currentTarget.checked)}
    />
  )
}

/** Choice of a member among fixed values; `absent` is the meaning of a missing member. */
export function PipelineChoiceField({
  at,
  label,
  words,
  absent,
}: {
  at: string
  label: string
  absent: string
  words: readonly [string, string][]
}) {
  const { form, isReadOnly } = usePipelineEditor()
  return (
    <Select
      size="xs"
      w={180}
      aria-label={label}
      allowDeselect={false}
      readOnly={isReadOnly}
      error={usePipelineFault(at)}
      data={words.map(([value, word]) => ({ value, label: word }))}
      value={String(readPointerValue(form.value, at) ?? absent)}
      onChange={(next) => next !== null && form.set(at, next)}
    />
  )
}

/** The member that a step puts its rows or elements into. */
export function OutputMemberField({ at }: { at: string }) {
  const t = useTranslator(scriptTexts)
  const { form, isReadOnly } = usePipelineEditor()
  return (
    <TextInput
      size="xs"
      w={220}
      label={t('into')}
      readOnly={isReadOnly}
      error={usePipelineFault(at)}
      value={String(readPointerValue(form.value, at) ?? '')}
      onChange={(event) => form.set(at, event.currentTarget.value)}
    />
  )
}
