import { ActionIcon, Button, Textarea, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { FieldGroup } from '../../components/form/fields.tsx'
import type { FormState } from '../../components/form/use-form.ts'
import { PasswordField } from '../../components/PasswordField.tsx'
import styles from './GatewaysPage.module.css'
import type { ApiGatewayKind, GatewayForm } from './model.ts'
import { listSchemaSettings, type SettingSchema } from './schema.ts'
import { useGatewayLabels } from './words.ts'

interface Props {
  form: FormState<GatewayForm>
  kind: ApiGatewayKind
  /** The names of those that are set. */
  known: readonly string[]
}

/** Keys and certificates are pasted, and longer than a line. */
const PASTED = 1000

function SecretField({ form, name, schema, isKnown }: Omit<Props, 'kind' | 'known'> & SecretName) {
  const words = useGatewayLabels()
  const { t } = words
  const at = `/secrets/${name}`
  const value = form.value.secrets[name]
  const isPasted = (schema.maxLength ?? 0) > PASTED
  const own = {
    label: words.label(['secrets', form.value.kind, name]),
    description: words.help(['secrets', form.value.kind, name]),
    error: form.faultAt(at),
    maw: 560,
    autoComplete: 'off',
    placeholder: isKnown && value !== null ? t('secretKept') : '',
    value: value ?? '',
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => form.set(at, currentTarget.value),
  }
  return (
    <div className={styles['secret']}>
      {isPasted ? (
        <Textarea {...own} autosize minRows={3} maxRows={10} spellCheck={false} />
      ) : (
        <PasswordField {...own} />
      )}
      {isKnown && (
        <small>
          {t(value === null ? 'secretGoes' : 'secretSet')}{' '}
          <Button
            size="compact-xs"
            variant="subtle"
            color="gray"
            onClick={() => form.set(at, value === null ? '' : null)}
          >
            {t(value === null ? 'secretKeep' : 'secretTake')}
          </Button>
        </small>
      )}
    </div>
  )
}

interface SecretName {
  name: string
  schema: SettingSchema
  isKnown: boolean
}

/** Secrets of any name, which the other settings name. */
function NamedSecrets({ form, known }: Omit<Props, 'kind'>) {
  const { t } = useGatewayLabels()
  const [name, setName] = useState('')
  const { secrets } = form.value
  const names = [...new Set([...known, ...Object.keys(secrets)])].filter((one) => known.includes(one) || one in secrets)
  const add = (): void => {
    form.set(`/secrets/${name}`, '')
    setName('')
  }
  return (
    <>
      {names.map((one) => (
        <div key={one} className={styles['named']}>
          <SecretField form={form} name={one} schema={{}} isKnown={known.includes(one)} />
          {!known.includes(one) && (
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('secretDrop', { name: one })}
              onClick={() =>
                form.change({
                  ...form.value,
                  secrets: Object.fromEntries(Object.entries(secrets).filter(([own]) => own !== one)),
                })
              }
            >
              <IconTrash size={16} />
            </ActionIcon>
          )}
        </div>
      ))}
      <div className={styles['adding']}>
        <TextInput
          label={t('secretName')}
          value={name}
          onChange={(event) => setName(event.currentTarget.value.replaceAll(/\W/g, ''))}
        />
        <Button
          variant="default"
          leftSection={<IconPlus size={14} aria-hidden />}
          disabled={name === '' || names.includes(name)}
          onClick={add}
        >
          {t('secretAdd')}
        </Button>
      </div>
    </>
  )
}

/** What is written and never read again. */
export function GatewaySecretFields({ form, kind, known }: Props) {
  const { t } = useGatewayLabels()
  if (!kind.secrets) return null
  const named = listSchemaSettings(kind.secrets)
  return (
    <FieldGroup title={t('secrets')}>
      <p className={styles['quiet']}>{t(named.length > 0 ? 'secretsWhy' : 'secretsNamedWhy')}</p>
      {form.faultAt('/secrets') && <p role="alert">{form.faultAt('/secrets')}</p>}
      {named.map(([name, schema]) => (
        <SecretField key={name} form={form} name={name} schema={schema} isKnown={known.includes(name)} />
      ))}
      {named.length === 0 && <NamedSecrets form={form} known={known} />}
    </FieldGroup>
  )
}
