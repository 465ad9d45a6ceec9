import { Select, Textarea } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx'
import { showToast } from '../../layout/toasts.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import {
  type ApprovalObject,
  parseApprovalObject,
  submitApprovalRequest,
  useApprovableObjects,
  useObjectName,
  useReloadApprovals,
} from './approval-calls.ts'
import { reviewTexts } from './texts.ts'

const PAUSE_MS = 200

/** The object, chosen by its name. */
function Choice({ onChoose }: { onChoose(object: ApprovalObject | undefined): void }) {
  const t = useTranslator(reviewTexts)
  const [typed, setTyped] = useState('')
  const [q] = useDebouncedValue(typed.trim(), PAUSE_MS)
  const found = useApprovableObjects(q)
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
      onChange={(value) => onChoose(parseApprovalObject(value ?? undefined))}
    />
  )
}

function Named({ object }: { object: ApprovalObject }) {
  const t = useTranslator(reviewTexts)
  const name = useObjectName(object)
  return (
    <p>
      {t(`type_${object.type}`)} <strong>{name.data ?? String(object.id)}</strong>
    </p>
  )
}

interface Props {
  /** Absent: the person chooses. */
  object: ApprovalObject | undefined
  onClose(): void
}

/** Asks for an approval of an object, as it is now. */
export function RequestApprovalDialog({ object: given, onClose }: Props) {
  const t = useTranslator(reviewTexts)
  const readAnew = useReloadApprovals()
  const [chosen, setChosen] = useState(given)
  const [comment, setComment] = useState('')
  return (
    <ConfirmDialog
      title={t('ask')}
      action={t('ask')}
      isDangerous={false}
      onClose={onClose}
      onConfirm={async () => {
        if (!chosen) throw new Error(t('askWhatMissing'))
        const { object } = await submitApprovalRequest(chosen, comment.trim() || null)
        showToast(t('asked', { name: object.name }))
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
    </ConfirmDialog>
  )
}
