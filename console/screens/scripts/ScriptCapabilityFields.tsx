import { ActionIcon, Button, Checkbox, PasswordInput, TagsInput, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { FormJsonField } from '../../components/code/FormJsonField.tsx'
import { readPointerValue } from '../../components/form/pointers.ts'
import type { FormState } from '../../components/form/use-form.ts'
import { useTranslator } from '../../text/catalogue.ts'
import { RETAINED_SECRET } from './kept-scripting.ts'
import styles from './Scripts.module.css'
import { scriptTexts } from './texts.ts'
import { scriptCapabilities } from './webtasks/host-words.ts'

interface Props<T> {
  form: FormState<T>
  /** Pointer to the `scripting` object. */
  at: string
  isReadOnly: boolean
}

/** Written and never read: what is kept is shown as kept. */
function SecretFields<T>({ form, at, isReadOnly }: Props<T>) {
  const t = useTranslator(scriptTexts)
  const [name, setName] = useState('')
  const secrets = (readPointerValue(form.value, at) ?? {}) as Record<string, string>
  const changeSecrets = (next: Record<string, string>): void => form.set(at, next)
  return (
    <fieldset className={`${styles['stack']} ${styles['members']}`}>
      <legend>{t('secrets')}</legend>
      <small>{t('secretsHelp')}</small>
      {Object.entries(secrets).map(([key, value]) => (
        <div key={key} className={styles['secret']}>
          <code>{key}</code>
          <PasswordInput
            aria-label={key}
            autoComplete="off"
            readOnly={isReadOnly}
            placeholder={t('secretKept')}
            error={form.faultAt(`${at}/${key}`)}
            value={value === RETAINED_SECRET ? '' : value}
            onChange={(event) => changeSecrets({ ...secrets, [key]: event.currentTarget.value || RETAINED_SECRET })}
          />
          {!isReadOnly && (
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('removeNamed', { name: key })}
              onClick={() =>
                changeSecrets(Object.fromEntries(Object.entries(secrets).filter(([secretName]) => secretName !== key)))
              }
            >
              <IconTrash size={16} />
            </ActionIcon>
          )}
        </div>
      ))}
      {!isReadOnly && (
        <div className={styles['line']}>
          <TextInput
            aria-label={t('secretName')}
            placeholder={t('secretName')}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<IconPlus size={14} aria-hidden />}
            disabled={name.trim() === '' || name in secrets}
            onClick={() => {
              changeSecrets({ ...secrets, [name.trim()]: '' })
              setName('')
            }}
          >
            {t('addSecret')}
          </Button>
        </div>
      )}
    </fieldset>
  )
}

/** Permissions of a script: functions, hosts, constants, secrets and imports. */
export function ScriptCapabilityFields<T>({ form, at, isReadOnly }: Props<T>) {
  const t = useTranslator(scriptTexts)
  const readList = (member: string): string[] => [
    ...((readPointerValue(form.value, `${at}${member}`) ?? []) as string[]),
  ]
  const grantedCapabilities = readList('/environment/capabilities')
  return (
    <div className={styles['stack']}>
      <Checkbox.Group
        label={t('capabilities')}
        description={t('capabilitiesHelp')}
        error={form.faultAt(`${at}/environment/capabilities`)}
        value={grantedCapabilities}
        onChange={(next) => form.set(`${at}/environment/capabilities`, next)}
      >
        <div className={styles['checks']}>
          {scriptCapabilities.map((name) => (
            <Checkbox key={name} value={name} label={<code>{name}</code>} disabled={isReadOnly} />
          ))}
        </div>
      </Checkbox.Group>
      {grantedCapabilities.includes('http.fetch') && (
        <TagsInput
          maw={560}
          label={t('hosts')}
          description={t('hostsHelp')}
          readOnly={isReadOnly}
          error={form.faultAt(`${at}/environment/http/allow`)}
          value={readList('/environment/http/allow')}
          onChange={(next) => form.set(`${at}/environment/http/allow`, next)}
        />
      )}
      <SecretFields form={form} at={`${at}/environment/secrets`} isReadOnly={isReadOnly} />
      <FormJsonField
        form={form}
        at={`${at}/environment/variables`}
        label={t('constants')}
        help={t('constantsHelp')}
        readOnly={isReadOnly}
      />
      <FormJsonField
        form={form}
        at={`${at}/imports`}
        label={t('imports')}
        help={t('importsHelp')}
        readOnly={isReadOnly}
      />
    </div>
  )
}
