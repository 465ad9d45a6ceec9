import { ActionIcon, Button } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { FieldGroup, TextField } from '../../../components/form/fields.tsx'
import { PairsField } from '../../../components/form/PairsField.tsx'
import { useText } from '../../../text/catalogue.ts'
import type { Fields } from '../DocumentForm.tsx'
import { NEW, type Sending } from './document.ts'
import styles from './Sending.module.css'
import { sendingTexts } from './texts.ts'

/** What redirects add to the addresses of links. */
export function Analysers(own: Fields<Sending>) {
  const t = useText(sendingTexts)
  const { form, isReadOnly } = own
  const { webAnalysers } = form.value
  const add = (): void =>
    form.set('/webAnalysers', [...webAnalysers, { id: NEW, name: '', parameters: { utm_source: 'newsletter' } }])
  return (
    <FieldGroup title={t('analysers')}>
      <p className={styles['why']}>{t('analysersWhy')}</p>
      <div>
        {webAnalysers.map(({ id, name }, place) => (
          <details
            key={id === NEW ? `new ${place}` : id}
            className={styles['entry']}
            {...(id === NEW && { open: true })}
          >
            <summary>
              <bdi>{name || t('analyserNew')}</bdi>
            </summary>
            <div className={styles['fields']}>
              <TextField {...own} at={`/webAnalysers/${place}/name`} label={t('name')} />
              <PairsField {...own} at={`/webAnalysers/${place}/parameters`} label={t('analyserParameters')} />
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
          <Button size="compact-sm" variant="default" leftSection={<IconPlus size={14} aria-hidden />} onClick={add}>
            {t('analyserAdd')}
          </Button>
        </div>
      )}
    </FieldGroup>
  )
}
