import { ActionIcon, Button } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { FieldGroup, TextField } from '../../../components/form/fields.tsx'
import { NameValueField } from '../../../components/form/NameValueField.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import type { SettingsFieldsProps } from '../SettingsForm.tsx'
import { NEW_SENDING_ENTRY_ID, type SendingSettingsForm } from './document.ts'
import styles from './Sending.module.css'
import { sendingSettingsTexts } from './texts.ts'

/** Parameters that redirects add to the addresses of links. */
export function LinkAnalyserFields(fieldProps: SettingsFieldsProps<SendingSettingsForm>) {
  const t = useTranslator(sendingSettingsTexts)
  const { form, isReadOnly } = fieldProps
  const { webAnalysers } = form.value
  const addAnalyser = (): void =>
    form.set('/webAnalysers', [
      ...webAnalysers,
      { id: NEW_SENDING_ENTRY_ID, name: '', parameters: { utm_source: 'newsletter' } },
    ])
  return (
    <FieldGroup title={t('analysers')}>
      <p className={styles['why']}>{t('analysersWhy')}</p>
      <div>
        {webAnalysers.map(({ id, name }, place) => (
          <details
            key={id === NEW_SENDING_ENTRY_ID ? `new ${place}` : id}
            className={styles['entry']}
            {...(id === NEW_SENDING_ENTRY_ID && { open: true })}
          >
            <summary>
              <bdi>{name || t('analyserNew')}</bdi>
            </summary>
            <div className={styles['fields']}>
              <TextField {...fieldProps} at={`/webAnalysers/${place}/name`} label={t('name')} />
              <NameValueField
                {...fieldProps}
                at={`/webAnalysers/${place}/parameters`}
                label={t('analyserParameters')}
              />
              {!isReadOnly && (
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={t('remove', { name })}
                  onClick={() => form.set('/webAnalysers', webAnalysers.toSpliced(place, 1))}
                >
                  <IconTrash size={16} />
                </ActionIcon>
              )}
            </div>
          </details>
        ))}
      </div>
      {!isReadOnly && (
        <div className={styles['acts']}>
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={addAnalyser}
          >
            {t('analyserAdd')}
          </Button>
        </div>
      )}
    </FieldGroup>
  )
}
