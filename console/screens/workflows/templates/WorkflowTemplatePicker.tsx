import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { apiClient } from '../../../api/client.ts'
import cards from '../../../components/layout/Cards.module.css'
import { useTranslator } from '../../../text/catalogue.ts'
import { workflowTemplateTexts } from './texts.ts'
import styles from './WorkflowTemplatePicker.module.css'
import { WORKFLOW_TEMPLATES, type WorkflowTemplate, type WorkflowTemplateNeed } from './workflow-templates.ts'

interface NeededObject {
  id: number
  name: string
}

const NEED_SOURCES: Readonly<
  Record<
    WorkflowTemplateNeed,
    { noneText: 'noDateField' | 'noSegment'; read(signal: AbortSignal): Promise<readonly NeededObject[]> }
  >
> = {
  dateField: {
    noneText: 'noDateField',
    read: async (signal) => (await apiClient.listFields({ signal })).filter(({ type }) => type === 'date'),
  },
  segment: { noneText: 'noSegment', read: (signal) => apiClient.listSegments({ signal }) },
}

interface NeedFieldProps {
  need: WorkflowTemplateNeed
  value: number | null
  onChange(id: number | null): void
}

/** The date field or segment that a template starts from. */
export function WorkflowTemplateNeedField({ need, value, onChange }: NeedFieldProps) {
  const t = useTranslator(workflowTemplateTexts)
  const { read, noneText } = NEED_SOURCES[need]
  const objectsQuery = useQuery({ queryKey: ['template-needs', need], queryFn: ({ signal }) => read(signal) })
  return (
    <Select
      required
      searchable
      label={t(need)}
      {...(objectsQuery.data?.length === 0 && { description: t(noneText), disabled: true })}
      data={objectsQuery.data?.map(({ id, name }) => ({ value: String(id), label: name })) ?? []}
      value={value === null ? null : String(value)}
      onChange={(next) => onChange(next === null ? null : Number(next))}
    />
  )
}

type TemplateText = 'welcome'

interface PickerProps {
  chosen: WorkflowTemplate | null
  onChange(template: WorkflowTemplate | null): void
}

/** The template that a workflow starts from; null: an empty one. */
export function WorkflowTemplatePicker({ chosen, onChange }: PickerProps) {
  const t = useTranslator(workflowTemplateTexts)
  const group = useId()
  const needsOf = ({ id }: WorkflowTemplate): string | null => {
    const key = `${id}Needs`
    return key in workflowTemplateTexts.en ? t(key as TemplateText) : null
  }
  return (
    <fieldset className={styles['templates']}>
      <legend>{t('start')}</legend>
      <ul className={cards['cards']}>
        {[null, ...WORKFLOW_TEMPLATES].map((template) => (
          <li key={template?.id ?? ''}>
            <label className={`${cards['card']} ${styles['card']}`}>
              <input type="radio" name={group} checked={chosen === template} onChange={() => onChange(template)} />
              <span className={cards['words']}>
                <strong>{t((template?.id ?? 'blank') as TemplateText)}</strong>
                <span className={styles['why']}>{t(`${template?.id ?? 'blank'}Why` as TemplateText)}</span>
                {template && (
                  <small>
                    {[t('emailCount', { count: template.emails.length }), needsOf(template)]
                      .filter(Boolean)
                      .join(' · ')}
                  </small>
                )}
              </span>
            </label>
          </li>
        ))}
      </ul>
    </fieldset>
  )
}
