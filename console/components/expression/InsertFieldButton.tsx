import { Button, Popover, Select, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useContactFields } from '../../api/definitions.ts'
import { useTranslator } from '../../text/catalogue.ts'
import { NestedForm } from '../form/NestedForm.tsx'
import { formatFieldTemplate } from './field-template.ts'
import { expressionTexts } from './texts.ts'

interface Props {
  /** Name of the text that the field is inserted into, for screen readers. */
  into?: string
  onInsert(template: string): void
}

/** Inserts the value of a contact field, with a text for contacts that have none. */
export function InsertFieldButton({ into, onInsert }: Props) {
  const t = useTranslator(expressionTexts)
  const [isOpened, setOpened] = useState(false)
  const [fieldName, setFieldName] = useState<string | null>(null)
  const [fallback, setFallback] = useState('')
  const contactFields = useContactFields()
  const insertField = (): void => {
    if (fieldName === null) return
    onInsert(formatFieldTemplate(fieldName, fallback))
    setOpened(false)
    setFieldName(null)
    setFallback('')
  }
  return (
    <Popover opened={isOpened} onChange={setOpened} trapFocus withinPortal={false} position="bottom-start" shadow="md">
      <Popover.Target>
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconPlus size={14} aria-hidden />}
          {...(into !== undefined && { 'aria-label': `${t('insertField')}: ${into}` })}
          onClick={() => setOpened(!isOpened)}
        >
          {t('insertField')}
        </Button>
      </Popover.Target>
      {/* Keys typed here mean nothing to the editor around it. */}
      <Popover.Dropdown w={300} maw="90vw" onKeyDown={(event) => event.stopPropagation()}>
        <NestedForm label={t('insertField')} isDisabled={fieldName === null} onSubmit={insertField}>
          <Select
            size="xs"
            searchable
            data-autofocus
            label={t('field')}
            nothingFoundMessage={t('noField')}
            comboboxProps={{ withinPortal: false }}
            data={(contactFields.data ?? []).map(({ name }) => name)}
            value={fieldName}
            onChange={setFieldName}
          />
          <TextInput
            size="xs"
            label={t('fallback')}
            description={t('fallbackWhy')}
            value={fallback}
            onChange={(event) => setFallback(event.currentTarget.value)}
          />
          <div>
            <Button size="xs" disabled={fieldName === null} onClick={insertField}>
              {t('insert')}
            </Button>
          </div>
        </NestedForm>
      </Popover.Dropdown>
    </Popover>
  )
}
