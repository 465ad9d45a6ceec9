import { apiClient } from '../../../api/client.ts'
import type { Translator } from '../../../text/catalogue.ts'
import type en from './en.ts'
import type { WorkflowTemplate } from './workflow-templates.ts'

interface CreateOptions {
  name: string
  t: Translator<typeof en>
  language: 'en' | 'fr'
  /** Id of the chosen date field or segment. */
  chosenId: number | null
}

/** Creates the emails of a template as drafts, then the workflow that sends them. Returns the id of the workflow. */
export async function createFromWorkflowTemplate(
  template: WorkflowTemplate,
  { name, t, language, chosenId }: CreateOptions,
): Promise<number> {
  const designs = await apiClient.listLibraryDesigns({ query: { language } })
  const emails: string[] = []
  for (const email of template.emails) {
    const design = designs.find(({ id }) => id === email.design)?.design
    const content = { subject: t(email.name), ...(design && { design }) }
    const { id } = await apiClient.createAction({
      body: { type: 'mailMessage', name: `${name}: ${t(email.name)}`, content },
    })
    emails.push(id)
  }
  const { id } = await apiClient.createWorkflow({ body: { name, ...template.build({ t, emails, chosenId }) } })
  return id
}
