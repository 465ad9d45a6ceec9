import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { StoredDocument } from './use-form.ts'

/** In the place of an id: one that the first save makes. */
export const NEW_RESOURCE_ID = 'new'

/** Precondition sent with a change, so that it only replaces the version that was read. */
export type WritePrecondition = { 'if-match'?: string }

/** Documents of one kind: how the interface reads and writes them, and where their pages are. */
export interface ResourceDefinition<T> {
  /** Key of one document in unsaved changes and in the query cache, such as `rule`. */
  name: string
  /** Query key of the list, such as `rules`. */
  list: string
  /** The page of the list. */
  home: string
  /** The page of one. */
  pathOf(id: string): string
  idOf(value: T): string
  /** Initial value of the form for a new document. */
  blank: T
  /** Returns the part that this browser may store as unsaved changes: everything except secrets. */
  kept?: (value: T) => T
  read(id: string, init: { signal?: AbortSignal }): Promise<StoredDocument<T>>
  create(value: T): Promise<StoredDocument<T>>
  replace(id: string, value: T, headers: WritePrecondition): Promise<StoredDocument<T>>
  remove(id: string): Promise<unknown>
}

/** The words of a deletion. */
export interface RemovalTexts {
  title: string
  action: string
  why: string
  done: string
}

/** One document as it is stored, or the beginning of a new one. */
export function useStoredDocument<T>(kind: ResourceDefinition<T>, id: string) {
  return useQuery({
    queryKey: [kind.name, id],
    queryFn: ({ signal }): Promise<StoredDocument<T>> | StoredDocument<T> =>
      id === NEW_RESOURCE_ID ? { data: kind.blank, etag: null } : kind.read(id, { signal }),
    refetchOnWindowFocus: false,
  })
}

/** Operations of a document for `ResourcePage`: create or replace, reload, delete, and refresh the lists that show it. */
export function useResource<T>(kind: ResourceDefinition<T>, id: string, removal: RemovalTexts) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const isNew = id === NEW_RESOURCE_ID
  const refreshList = (): Promise<void> => queryClient.invalidateQueries({ queryKey: [kind.list] })
  return {
    name: `${kind.name}.${id}`,
    isNew,
    ...(kind.kept && { kept: kind.kept }),
    save: (value: T, etag: string | null): Promise<StoredDocument<T>> =>
      isNew ? kind.create(value) : kind.replace(id, value, etag === null ? {} : { 'if-match': etag }),
    load: () => kind.read(id, {}),
    onSaved: (next: StoredDocument<T>): void => {
      void refreshList()
      const createdId = kind.idOf(next.data)
      queryClient.setQueryData([kind.name, createdId], next)
      if (isNew) void navigate({ to: kind.pathOf(createdId), replace: true })
    },
    ...(!isNew && {
      removal: {
        ...removal,
        remove: async () => {
          await kind.remove(id)
          await refreshList()
          await navigate({ to: kind.home })
        },
      },
    }),
  }
}
