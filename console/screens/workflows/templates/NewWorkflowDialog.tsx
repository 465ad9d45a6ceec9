import { TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { apiClient } from '../../../api/client.ts'
import { ConfirmDialog } from '../../../components/ConfirmDialog.tsx'
import { objectPaths } from '../../../paths.ts'
import { useTranslator } from '../../../text/catalogue.ts'
import { useLocale } from '../../../text/locale.ts'
import { workflowTexts } from '../texts.ts'
import { createFromWorkflowTemplate } from './create-from-template.ts'
import { workflowTemplateTexts } from './texts.ts'
import { WorkflowTemplateNeedField, WorkflowTemplatePicker } from './WorkflowTemplatePicker.tsx'
import type { WorkflowTemplate } from './workflow-templates.ts'

const WIDTH_PX = 720

/** Creates a workflow, empty or from a template with its emails, and opens it. */
export function NewWorkflowDialog({ onClose }: { onClose(): void }) {
  const [t, templateT] = [useTranslator(workflowTexts), useTranslator(workflowTemplateTexts)]
  const { language } = useLocale()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const [givenName, setName] = useState<string | null>(null)
  const [template, setTemplate] = useState<WorkflowTemplate | null>(null)
  const [chosenId, setChosenId] = useState<number | null>(null)
  // A template proposes its own name until another one is given.
  const name = givenName ?? (template ? templateT(template.id as 'welcome') : '')
  const createWorkflow = async (): Promise<number> => {
    if (template) return createFromWorkflowTemplate(template, { name: name.trim(), t: templateT, language, chosenId })
    return (await apiClient.createWorkflow({ body: { name: name.trim() } })).id
  }
  return (
    <ConfirmDialog
      title={t('create')}
      action={templateT('create')}
      isDangerous={false}
      width={WIDTH_PX}
      onClose={onClose}
      onConfirm={async () => {
        const id = await createWorkflow()
        await queryClient.invalidateQueries({ queryKey: ['workflows'] })
        await navigate({ to: objectPaths.workflow(id) })
      }}
    >
      <WorkflowTemplatePicker
        chosen={template}
        onChange={(next) => {
          setTemplate(next)
          setChosenId(null)
        }}
      />
      {template?.need && <WorkflowTemplateNeedField need={template.need} value={chosenId} onChange={setChosenId} />}
      <TextInput
        required
        autoComplete="off"
        maxLength={255}
        label={t('name')}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
    </ConfirmDialog>
  )
}
