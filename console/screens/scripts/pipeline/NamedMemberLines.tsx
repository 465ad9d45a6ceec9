import { TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { LineList } from '../../../components/form/LineList.tsx'
import { memberPointer, readPointerValue } from '../../../components/form/pointers.ts'
import { useTranslator } from '../../../text/catalogue.ts'
import { scriptTexts } from '../texts.ts'
import { usePipelineEditor, usePipelineFault } from './desk.ts'
import styles from './Pipeline.module.css'

type MemberLine = readonly [name: string, value: unknown]

interface Props {
  at: string
  label: string
  addLabel: string
  fresh: unknown
  /** The fields of a member that has a name. */
  children(at: string, name: string): ReactNode
}

const toLines = (members: unknown): MemberLine[] => Object.entries((members ?? {}) as Record<string, unknown>)

const isSameMembers = (lines: readonly MemberLine[], members: unknown): boolean =>
  JSON.stringify(Object.fromEntries(lines)) === JSON.stringify(members ?? {})

/** The first free name of a row: one, or one with a number. */
function findFreeFieldName(lines: readonly MemberLine[], base: string): string {
  const usedNames = new Set(lines.map(([name]) => name))
  for (let count = 1; ; count++) {
    const name = count === 1 ? base : `${base}${count}`
    if (!usedNames.has(name)) return name
  }
}

function NameInput({ at, name, onRename }: { at: string; name: string; onRename(name: string): string | undefined }) {
  const t = useTranslator(scriptTexts)
  const { isReadOnly } = usePipelineEditor()
  // A name that another line has is kept here while it is typed.
  const [typedName, setTypedName] = useState<string | null>(null)
  const [nameError, setRefusal] = useState<string>()
  const fault = usePipelineFault(at)
  return (
    <TextInput
      size="xs"
      className={styles['name']!}
      aria-label={t('memberName')}
      error={nameError ?? fault}
      readOnly={isReadOnly}
      value={typedName ?? name}
      onChange={(event) => {
        const nextName = event.currentTarget.value
        const renameError = nextName === name ? undefined : onRename(nextName)
        setTypedName(renameError === undefined ? null : nextName)
        setRefusal(renameError)
      }}
      onBlur={() => {
        setTypedName(null)
        setRefusal(undefined)
      }}
    />
  )
}

/** Members of an object by their names: each a line of its name and its fields. */
export function NamedMemberLines({ at, label, addLabel, fresh, children }: Props) {
  const t = useTranslator(scriptTexts)
  const { form, isReadOnly } = usePipelineEditor()
  const storedMembers = readPointerValue(form.value, at)
  const lines = toLines(storedMembers)
  const changeLines = (next: readonly MemberLine[]): void => {
    if (!isSameMembers(next, storedMembers)) form.set(at, Object.fromEntries(next))
  }
  const rename = (place: number, name: string): string | undefined => {
    if (name === '') return t('nameMissing')
    if (lines.some(([otherName]) => otherName === name)) return t('nameTaken')
    form.set(
      at,
      Object.fromEntries(lines.map(([currentName, value], index) => [index === place ? name : currentName, value])),
    )
    return undefined
  }
  return (
    <fieldset className={styles['lines']}>
      <legend>{label}</legend>
      <LineList
        values={lines}
        onChange={changeLines}
        addLabel={addLabel}
        fresh={(): MemberLine => [findFreeFieldName(lines, 'value'), fresh]}
        removeLabel={([name]) => t('removeNamed', { name })}
        isReadOnly={isReadOnly}
        className={styles['entry']}
      >
        {([name], place) => (
          <>
            <NameInput at={memberPointer(at, name)} name={name} onRename={(next) => rename(place, next)} />
            {children(memberPointer(at, name), name)}
          </>
        )}
      </LineList>
    </fieldset>
  )
}
