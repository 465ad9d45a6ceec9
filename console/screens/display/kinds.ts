import { useQuery } from '@tanstack/react-query'
import { apiClient, readAnswer, readVersionedAnswer } from '../../api/client.ts'
import type { ApiAnswer } from '../../api/shapes.ts'
import type { ResourceDefinition } from '../../components/form/use-resource.ts'
import { objectPaths } from '../../paths.ts'

export type ApiDisplayCampaign = ApiAnswer<'/display/campaign/{id}', 'get'>
export type ApiPlacement = ApiAnswer<'/display/placement/{id}', 'get'>
export type ApiDisplayContent = ApiAnswer<'/display/content/{id}', 'get'>

const blankMembers = { id: '', name: '', description: null, active: true, creationDate: '', updateDate: '' }

/** Request body: an empty id is omitted so that the service assigns one, and an empty text is null. */
function buildBody<T extends { id: string; description: string | null }>({ id, description, ...members }: T) {
  return { ...members, description: description || null, ...(id !== '' && { id }) }
}

export const displayCampaignResource: ResourceDefinition<ApiDisplayCampaign> = {
  ...{ name: 'displayCampaign', list: 'display', home: '/display', pathOf: objectPaths.displayCampaign },
  idOf: ({ id }) => id,
  blank: { ...blankMembers, startDate: null, endDate: null },
  read: (id, init) =>
    readVersionedAnswer(apiClient.GET('/display/campaign/{id}', { params: { path: { id } }, ...init })),
  create: (campaign) => readVersionedAnswer(apiClient.POST('/display/campaign', { body: buildBody(campaign) })),
  replace: (id, campaign, headers) =>
    readVersionedAnswer(
      apiClient.PUT('/display/campaign/{id}', { params: { path: { id } }, headers, body: buildBody(campaign) }),
    ),
  remove: (id) => readAnswer(apiClient.DELETE('/display/campaign/{id}', { params: { path: { id } } })),
}

export const placementResource: ResourceDefinition<ApiPlacement> = {
  ...{ name: 'placement', list: 'placements', home: '/display/placements', pathOf: objectPaths.placement },
  idOf: ({ id }) => id,
  blank: { ...blankMembers, site: null, width: null, height: null },
  read: (id, init) =>
    readVersionedAnswer(apiClient.GET('/display/placement/{id}', { params: { path: { id } }, ...init })),
  create: (placement) => readVersionedAnswer(apiClient.POST('/display/placement', { body: buildBody(placement) })),
  replace: (id, placement, headers) =>
    readVersionedAnswer(
      apiClient.PUT('/display/placement/{id}', { params: { path: { id } }, headers, body: buildBody(placement) }),
    ),
  remove: (id) => readAnswer(apiClient.DELETE('/display/placement/{id}', { params: { path: { id } } })),
}

/** The contents of a campaign. */
export const displayContentResource = (campaign: string): ResourceDefinition<ApiDisplayContent> => ({
  ...{ name: 'displayContent', list: 'displayContents', home: objectPaths.displayCampaign(campaign) },
  pathOf: () => objectPaths.displayCampaign(campaign),
  idOf: ({ id }) => id,
  blank: { ...blankMembers, campaign, url: 'https://', placements: [] },
  read: (id, init) =>
    readVersionedAnswer(apiClient.GET('/display/content/{id}', { params: { path: { id } }, ...init })),
  create: (content) => readVersionedAnswer(apiClient.POST('/display/content', { body: buildBody(content) })),
  replace: (id, content, headers) =>
    readVersionedAnswer(
      apiClient.PUT('/display/content/{id}', { params: { path: { id } }, headers, body: buildBody(content) }),
    ),
  remove: (id) => readAnswer(apiClient.DELETE('/display/content/{id}', { params: { path: { id } } })),
})

export function usePlacements() {
  return useQuery({
    queryKey: ['placements'],
    queryFn: ({ signal }) => readAnswer(apiClient.GET('/display/placement', { signal })),
  })
}

/** The contents of a campaign, as lists have them. */
export function useDisplayContents(campaign: string) {
  return useQuery({
    queryKey: ['displayContents'],
    queryFn: ({ signal }) => readAnswer(apiClient.GET('/display/content', { signal })),
    select: (contents) => contents.filter((content) => content.campaign === campaign),
  })
}

/** A placement as people tell it from others: its name and size. */
export function formatPlacementName({ name, width, height }: ApiPlacement): string {
  return width !== null && height !== null ? `${name} · ${width} × ${height}` : name
}
