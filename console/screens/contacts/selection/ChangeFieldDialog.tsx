import { Checkbox, Input, Select } from '@mantine/core'
import { useState } from 'react'
import { apiClient, readFullAnswer } from '../../../api/client.ts'
import { useContactFields, useValueLists } from '../../../api/definitions.ts'
import { parseJobId, waitForJobResult } from '../../../api/jobs.ts'
import { ConfirmDialog, TYPED_CONFIRM_THRESHOLD } from '../../../components/ConfirmDialog.tsx'
import { OperatorValueField } from '../../../components/criteria/values.tsx'
import { showToast } from '../../../layout/toasts.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import { useLocaleFormat } from '../../../text/format.ts'
import type { SelectionDialogProps } from '../selected.ts'
import { buildSelectionBody } from '../selected.ts'
import { contactTexts } from '../texts.ts'

interface ChangeResult {
  matched: number
  updated: number
  unchanged: number
}

const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

/** Gives every chosen contact the same value of a field: as a job of the service. What was there is gone. */
export function ChangeFieldDialog({ selection, rows, looked: rowsQuery, onClose }: SelectionDialogProps) {
  const t = useTranslator(contactTexts)
  const format = useLocaleFormat()
  const fields = (useContactFields().data ?? []).filter(({ isUnicity }) => !isUnicity)
  const valueLists = useValueLists().data ?? []
  const [chosenField, setChosen] = useState<string | null>(null)
  const [value, setValue] = useState<unknown>()
  const [clearsValues, setEmpties] = useState(false)
  const [doneCount, setDoneCount] = useState(0)
  const count = selection.count(rows.total)
  const field = fields.find(({ id }) => String(id) === chosenField)
  const labels =
    valueLists.find(({ id }) => id === field?.valueListId)?.values.map((listLabel) => listLabel.value) ?? []
  const changeContacts = async (): Promise<void> => {
    if (!field) throw new Error(t('chooseField'))
    if (!clearsValues && isBlank(value)) throw new Error(t('chooseValue'))
    const { response } = await readFullAnswer(apiClient.updateTargets, {
      headers: { prefer: 'respond-async' },
      body: { ...buildSelectionBody(selection, rowsQuery), fields: { [field.id]: clearsValues ? null : value } },
    })
    const { updated, unchanged } = await waitForJobResult<ChangeResult>(parseJobId(response), setDoneCount)
    selection.clear()
    rows.reload()
    showToast(t('changedMany', { count: updated, unchanged: format.number(unchanged), field: field.name }))
  }
  return (
    <ConfirmDialog
      title={t('changeMany', { count })}
      action={t('changeNow')}
      name={count > TYPED_CONFIRM_THRESHOLD ? field?.name : undefined}
      onConfirm={changeContacts}
      onClose={onClose}
    >
      <Select
        data-autofocus
        searchable
        label={t('field')}
        placeholder={t('chooseField')}
        data={fields.map(({ id, name }) => ({ value: String(id), label: name }))}
        value={chosenField}
        onChange={(next) => {
          setChosen(next)
          setValue(undefined)
        }}
      />
      {field && !clearsValues && (
        <Input.Wrapper label={t('newValue')}>
          <OperatorValueField
            kind={field.type === 'multipleSelectList' ? 'many' : 'one'}
            field={field}
            labels={labels}
            value={value}
            onChange={setValue}
          />
        </Input.Wrapper>
      )}
      {field && (
        <Checkbox
          label={t('emptyIt')}
          checked={clearsValues}
          onChange={(event) => setEmpties(event.currentTarget.checked)}
        />
      )}
      <p>{t('changeManyWhy', { count })}</p>
      {doneCount > 0 && <small role="status">{t('doneOf', { done: doneCount, count })}</small>}
    </ConfirmDialog>
  )
}
