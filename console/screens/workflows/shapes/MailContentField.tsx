import { CodeEditor } from '../../../components/code/CodeEditor.tsx'
import { ChoiceField, LongTextField } from '../../../components/form/fields.tsx'
import { readPointerValue } from '../../../components/form/pointers.ts'
import { useTranslator } from '../../../text/catalogue.ts'
import styles from '../WorkflowsPage.module.css'
import { literalShapeTexts } from './texts.ts'
import { createLiteralForm, type LiteralShapeProps } from './value.ts'

/** HTML and text of an email, sent as they are or as templates. */
export function MailContentField({ value, isReadOnly, onChange }: LiteralShapeProps) {
  const t = useTranslator(literalShapeTexts)
  const form = createLiteralForm({ value, onChange })
  const contentKinds = (['inline', 'template'] as const).map((kind) => ({ value: kind, label: t(`content-${kind}`) }))
  return (
    <div className={styles['indented']}>
      <ChoiceField
        form={form}
        at="/type"
        label={t('contentKind')}
        isClearable
        choices={contentKinds}
        isReadOnly={isReadOnly}
      />
      <CodeEditor
        language="html"
        label={t('contentHtml')}
        minHeight={120}
        maxHeight={420}
        readOnly={isReadOnly}
        value={String(readPointerValue(form.value, '/html') ?? '')}
        onChange={(html) => form.set('/html', html)}
      />
      <LongTextField form={form} at="/text" label={t('contentText')} isReadOnly={isReadOnly} />
    </div>
  )
}
