import { Menu } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ResourceDefinition } from '../../components/form/use-resource.ts'
import { showToast } from '../../layout/toasts.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import { scriptTexts } from './texts.ts'

interface Props<T> {
  kind: ResourceDefinition<T>
  /** Makes the copy. */
  copy(): Promise<T>
  /** Secrets cannot be read, so that a copy has none. */
  hasSecrets?: boolean
}

/** An item of the menu: a copy of what is stored, and its page. */
export function DuplicateMenuEntry<T extends { name: string }>({ kind, copy, hasSecrets = false }: Props<T>) {
  const t = useTranslator(scriptTexts)
  const queries = useQueryClient()
  const navigate = useNavigate()
  const run = async (): Promise<void> => {
    const made = await copy().catch((error: unknown) => error as Error)
    if (made instanceof Error) return showToast(made.message)
    await queries.invalidateQueries({ queryKey: [kind.list] })
    showToast(t(hasSecrets ? 'copiedWithoutSecrets' : 'copied', { name: made.name }))
    await navigate({ to: kind.pathOf(kind.idOf(made)) })
  }
  return (
    <Menu.Item leftSection={<IconCopy size={16} aria-hidden />} onClick={() => void run()}>
      {t('duplicate')}
    </Menu.Item>
  )
}
