import { Menu } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { apiClient, readVersionedAnswer } from '../../api/client.ts'
import { useHasRight } from '../../api/me.ts'
import type { ApiAnswer } from '../../api/shapes.ts'
import { DesignEditor } from '../../components/design/DesignEditor.tsx'
import { BLANK_DESIGN, useLibraryTemplates } from '../../components/design/model/templates.ts'
import { DocumentLoader } from '../../components/form/DocumentLoader.tsx'
import { FieldGroup, TextField } from '../../components/form/fields.tsx'
import { ResourcePage } from '../../components/form/ResourcePage.tsx'
import type { StoredDocument } from '../../components/form/use-form.ts'
import {
  NEW_RESOURCE_ID,
  type ResourceDefinition,
  useResource,
  useStoredDocument,
} from '../../components/form/use-resource.ts'
import { objectPaths } from '../../paths.ts'
import { useTranslator } from '../../text/catalogue.ts'
import { designScreenTexts } from './texts.ts'

const route = getRouteApi('/designs/$id')
const newDesignRoute = getRouteApi('/designs/new')

type SavedDesign = ApiAnswer<'getDesign'>

function buildBody({ name, description, category, type, design }: SavedDesign) {
  return { name, description: description || null, category: category || null, type, design }
}

const buildParams = (id: string) => ({ path: { id } })

const designResource: ResourceDefinition<SavedDesign> = {
  name: 'design',
  list: 'designs',
  home: '/designs',
  pathOf: objectPaths.design,
  idOf: ({ id }) => String(id),
  blank: {
    id: 0,
    name: '',
    description: null,
    category: null,
    type: 'design',
    creationDate: '',
    updateDate: '',
    design: BLANK_DESIGN,
  },
  read: (id, init) => readVersionedAnswer(apiClient.getDesign, { ...buildParams(id), ...init }),
  create: (design) => readVersionedAnswer(apiClient.createDesign, { body: buildBody(design) }),
  replace: (id, design, headers) =>
    readVersionedAnswer(apiClient.updateDesign, { ...buildParams(id), headers, body: buildBody(design) }),
  remove: (id) => apiClient.deleteDesign(buildParams(id)),
}

function DesignForm({ id, stored: storedDesign }: { id: string; stored: StoredDocument<SavedDesign> }) {
  const t = useTranslator(designScreenTexts)
  const navigate = useNavigate()
  const isReadOnly = !useHasRight('write')
  const { name } = storedDesign.data
  const resource = useResource(designResource, id, {
    title: t('deleteTitle', { name }),
    action: t('delete'),
    why: t('deleteWhy'),
    done: t('deleted', { name }),
  })
  const duplicate = !resource.isNew && !isReadOnly && (
    <Menu.Item
      leftSection={<IconCopy size={16} aria-hidden />}
      onClick={() => void navigate({ to: '/designs/new', search: { from: id } })}
    >
      {t('duplicate')}
    </Menu.Item>
  )
  return (
    <ResourcePage<SavedDesign>
      {...resource}
      title={resource.isNew ? t('newDesign') : name}
      parent={{ label: t('designs'), to: '/designs' }}
      stored={storedDesign}
      isReadOnly={isReadOnly}
      menu={duplicate}
      pointers={['/name', '/description', '/category']}
      nameOf={(pointer) => {
        const [, member = '', part] = pointer.split('/')
        if (member === 'name' || member === 'description' || member === 'category') return t(member)
        return t(part === 'rows' ? 'rowsAndBlocks' : part === 'theme' ? 'theme' : 'design')
      }}
    >
      {(form) => (
        <>
          <FieldGroup>
            <TextField form={form} at="/name" label={t('name')} isReadOnly={isReadOnly} />
            <TextField form={form} at="/description" label={t('description')} isReadOnly={isReadOnly} />
            <TextField form={form} at="/category" label={t('category')} isReadOnly={isReadOnly} />
          </FieldGroup>
          <DesignEditor
            design={form.value.design}
            onChange={(design) => form.set('/design', design)}
            label={t('design')}
            isReadOnly={isReadOnly}
          />
        </>
      )}
    </ResourcePage>
  )
}

/** A design that is made: from nothing, a template of the program, or one that is saved. */
export function NewDesignPage() {
  const t = useTranslator(designScreenTexts)
  const { from, language } = newDesignRoute.useSearch()
  const templates = useLibraryTemplates(language)
  const isSavedDesign = from !== undefined && /^\d+$/.test(from)
  const sourceQuery = useQuery({
    queryKey: ['design', NEW_RESOURCE_ID, from, language, templates.data !== undefined],
    enabled: from === undefined || isSavedDesign || templates.data !== undefined,
    queryFn: async ({ signal }): Promise<StoredDocument<SavedDesign>> => {
      const { blank } = designResource
      if (isSavedDesign) {
        const { name, description, category, type, design } = (await designResource.read(from, { signal })).data
        const copiedDesign = { name: t('copyName', { name }), description, category, type, design }
        return { data: { ...blank, ...copiedDesign }, etag: null }
      }
      const template = templates.data?.find(({ id }) => id === from)
      return { data: template ? { ...blank, name: template.name, design: template.design } : blank, etag: null }
    },
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  })
  return (
    <DocumentLoader
      read={{
        data: sourceQuery.data,
        error: sourceQuery.error ?? templates.error,
        refetch: templates.error ? templates.refetch : sourceQuery.refetch,
      }}
      title={t('newDesign')}
      parent={{ label: t('designs'), to: '/designs' }}
    >
      {(storedDesign) => <DesignForm key={`${from} ${language}`} id={NEW_RESOURCE_ID} stored={storedDesign} />}
    </DocumentLoader>
  )
}

function DesignLoader({ id }: { id: string }) {
  const t = useTranslator(designScreenTexts)
  return (
    <DocumentLoader
      read={useStoredDocument(designResource, id)}
      title={t('design')}
      parent={{ label: t('designs'), to: '/designs' }}
    >
      {(storedDesign) => <DesignForm key={id} id={id} stored={storedDesign} />}
    </DocumentLoader>
  )
}

/** A saved design. */
export function EditDesignPage() {
  return <DesignLoader id={route.useParams().id} />
}
