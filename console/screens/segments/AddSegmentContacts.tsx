import { Button, Group, Modal, Textarea } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { apiClient } from '../../api/client.ts'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { componentTexts } from '../../components/texts.ts'
import { useAsyncAction } from '../../components/use-act.ts'
import { showToast } from '../../layout/toasts.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import { segmentTexts } from './texts.ts'

/** Maximum number of contacts per request. */
const BATCH_SIZE = 50

interface Props {
  segment: { id: number; name: string }
  onDone(): void
  onClose(): void
}

/** Adds contacts to a static segment by what they are known by, one a line. */
export function AddSegmentContacts({ segment, onDone, onClose }: Props) {
  const [t, parts] = [useTranslator(segmentTexts), useTranslator(componentTexts)]
  const queryClient = useQueryClient()
  const [text, setText] = useState('')
  const lines = [...new Set(text.split(/[\n;]/).map((line) => line.trim()))].filter((line) => line !== '')
  const { error, isBusy, submit } = useAsyncAction(async () => {
    const params = { path: { id: String(segment.id) } }
    let addedCount = 0
    for (let batchStart = 0; batchStart < lines.length; batchStart += BATCH_SIZE)
      addedCount += await apiClient.addSegmentTargets({
        ...params,
        body: lines.slice(batchStart, batchStart + BATCH_SIZE),
      })
    showToast(t('added', { count: addedCount, given: lines.length }))
    await queryClient.invalidateQueries({ queryKey: ['segment', String(segment.id)] })
    onDone()
    onClose()
  })
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('addTo', { name: segment.name })}
      size={520}
      closeButtonProps={{ 'aria-label': parts('close') }}
    >
      <form onSubmit={submit} style={{ display: 'grid', gap: 16 }}>
        <Textarea
          data-autofocus
          label={t('addresses')}
          description={t('addressesHelp')}
          autosize
          minRows={6}
          maxRows={14}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        {error !== null && <ProblemAlert error={error} />}
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onClose}>
            {parts('cancel')}
          </Button>
          <Button type="submit" loading={isBusy} disabled={lines.length === 0}>
            {t('addCount', { count: lines.length })}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
