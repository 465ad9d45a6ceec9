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

const SEARCH_DELAY_MS = 200

/** The object, chosen by its name. */
function ObjectSelect({ onChoose }: { onChoose(object: ApprovalObject | undefined): void }) {
  const t = useTranslator(reviewTexts)
  const [typedText, setTypedText] = useState('')
  const [searchText] = useDebouncedValue(typedText.trim(), SEARCH_DELAY_MS)
  const objectsQuery = useApprovableObjects(searchText)
  const objectChoices = (objectsQuery.data ?? []).map(({ type, id, name }) => ({ value: `${type}:${id}`, label: name }))
  return (
    <Select
      required
      searchable
      data-autofocus
      label={t('askWhat')}
      description={t('askWhatWhy')}
      nothingFoundMessage={searchText === '' || objectsQuery.isFetching ? undefined : t('askNothing')}
      data={objectChoices}
      searchValue={typedText}
      onSearchChange={setTypedText}
      onChange={(value) => onChoose(parseApprovalObject(value ?? undefined))}
    />
  )
}

function ObjectName({ object }: { object: ApprovalObject }) {
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
export function RequestApprovalDialog({ object: initialObject, onClose }: Props) {
  const t = useTranslator(reviewTexts)
  const reloadApprovals = useReloadApprovals()
  const [chosenObject, setChosen] = useState(initialObject)
  const [commentText, setComment] = useState('')
  return (
    <ConfirmDialog
      title={t('ask')}
      action={t('ask')}
      isDangerous={false}
      onClose={onClose}
      onConfirm={async () => {
        if (!chosenObject) throw new Error(t('askWhatMissing'))
        const { object } = await submitApprovalRequest(chosenObject, commentText.trim() || null)
        showToast(t('asked', { name: object.name }))
        await reloadApprovals()
      }}
    >
      <p>{t('askWhy')}</p>
      {initialObject ? <ObjectName object={initialObject} /> : <ObjectSelect onChoose={setChosen} />}
      <Textarea
        label={t('comment')}
        description={t('askComment')}
        {...(initialObject && { 'data-autofocus': true })}
        autosize
        minRows={2}
        value={commentText}
        onChange={(event) => setComment(event.currentTarget.value)}
      />
    </ConfirmDialog>
  )
}
