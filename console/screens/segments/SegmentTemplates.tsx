import { UnstyledButton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useContactFields } from '../../api/definitions.ts'
import type { CriteriaGroup } from '../../components/criteria/model.ts'
import { PagePanel } from '../../components/layout/PagePanel.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import styles from './SegmentTemplates.module.css'
import { buildTemplateCriteria, SEGMENT_TEMPLATES } from './templates.ts'
import { segmentTexts } from './texts.ts'

/** Starting points of a new segment; one that needs a field says which. */
export function SegmentTemplates({ onChoose }: { onChoose(criteria: CriteriaGroup, name: string): void }) {
  const t = useTranslator(segmentTexts)
  const fieldsQuery = useContactFields()
  if (!fieldsQuery.data) return null
  const fields = fieldsQuery.data
  return (
    <PagePanel title={t('templates')}>
      <ul className={styles['templates']}>
        {SEGMENT_TEMPLATES.map((template) => {
          const criteria = buildTemplateCriteria(template, fields)
          const name = t(`template.${template}`)
          return (
            <li key={template}>
              {criteria ? (
                <UnstyledButton className={styles['template']} onClick={() => onChoose(criteria, name)}>
                  <strong>{name}</strong>
                  <small>{t(`templateWhy.${template}`)}</small>
                </UnstyledButton>
              ) : (
                <div className={styles['template']}>
                  <strong>{name}</strong>
                  <small>
                    {t('needsDate')} <Link to={'/fields/new' as string}>{t('createField')}</Link>
                  </small>
                </div>
              )}
            </li>
          )
        })}
      </ul>
    </PagePanel>
  )
}
