/**
 * The operation to use in place of an unsupported method. The detail of the 405 includes it, for
 * clients that expect to delete a resource or to write to a roll-up.
 */
export const instead: Readonly<Record<string, string>> = {
  'DELETE /v1/personnel/{user_id}': 'People are not deleted; POST /v1/personnel/{user_id}/depart.',
  'DELETE /v1/groups/{group_id}': 'Groups are not deleted; POST /v1/groups/{group_id}/archive.',
  'DELETE /v1/projects/{project_id}':
    'Projects are not deleted; POST /v1/projects/{project_id}/archive.',
  'DELETE /v1/projects/{project_id}/risks/{risk_id}':
    'Risks are not deleted; POST /v1/projects/{project_id}/risks/{risk_id}/close.',
  'DELETE /v1/projects/{project_id}/issues/{issue_id}':
    'Issues are not deleted; POST /v1/projects/{project_id}/issues/{issue_id}/close.',
  'DELETE /v1/keys/{key_id}': 'Keys are not deleted; POST /v1/keys/{key_id}/revoke.',
  'POST /v1/risks': 'Risks are created in their project; POST /v1/projects/{project_id}/risks.',
  'POST /v1/issues': 'Issues are created in their project; POST /v1/projects/{project_id}/issues.',
}
