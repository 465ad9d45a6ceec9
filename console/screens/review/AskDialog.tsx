import { Select, Textarea } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { Confirm } from '../../components/Confirm.tsx'
import { tell } from '../../layout/toasts.tsx'
import { useText } from '../../text/catalogue.ts'
import { type AskedObject, ask, readAsked, useAskable, useObjectName, useReadAnew } from './approval-calls.ts'
import { reviewTexts } from './texts.ts'

const PAUSE_MS = 200

/** The object, chosen by its name. */
function Choice({ onChoose }: { onChoose(object: AskedObject | undefined): void }) {
  const t = useText(reviewTexts)
  const [typed, setTyped] = useState('')
  const [q] = useDebouncedValue(typed.trim(), PAUSE_MS)
  const found = useAskable(q)
  const data = (found.data ?? []).map(({ type, id, name }) => ({ value: `${type}:${id}`, label: name }))
  return (
    <Select
      required
      searchable
      data-autofocus
      label={t('askWhat')}
      description={t('askWhatWhy')}
      nothingFoundMessage={q === '' || found.isFetching ? undefined : t('askNothing')}
      data={data}
      searchValue={typed}
      onSearchChange={setTyped}
      onChange={(value) => onChoose(readAsked(value ?? undefined))}
    />
  )
}

function Named({ object }: { object: AskedObject }) {
  const t = useText(reviewTexts)
  const name = useObjectName(object)
  return (
    <p>
      {t(`type_${object.type}`)} <strong>{name.data ?? String(object.id)}</strong>
    </p>
  )
}

interface Props {
  /** Absent: the person chooses. */
  object: AskedObject | undefined
  onClose(): void
}

/** Asks for an approval of an object, as it is now. */
export function AskDialog({ object: given, onClose }: Props) {
  const t = useText(reviewTexts)
  const readAnew = useReadAnew()
  const [chosen, setChosen] = useState(given)
  const [comment, setComment] = useState('')
  return (
    <Confirm
      title={t('ask')}
      action={t('ask')}
      isDangerous={false}
      onClose={onClose}
      onConfirm={async () => {
        if (!chosen) throw new Error(t('askWhatMissing'))
        const { object } = await ask(chosen, comment.trim() || null)
        tell(t('asked', { name: object.name }))
        await readAnew()
      }}
    >
      <p>{t('askWhy')}</p>
      {given ? <Named object={given} /> : <Choice onChoose={setChosen} />}
      <Textarea
        label={t('comment')}
        description={t('askComment')}
        {...(given && { 'data-autofocus': true })}
        autosize
        minRows={2}
        value={comment}
        onChange={(event) => setComment(event.currentTarget.value)}
      />
    </Confirm>
  )
}
