import '#frame/mantine.css'
import '@mantine/notifications/styles.css'
import '#frame/latin-font.css'
import '#frame/tokens.css'
import './main.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'

import { onSignedOut, queryClient } from '#data/query-client.ts'
import { signInAgain } from '#data/reauthentication.ts'
import { nonce } from '#frame/nonce.ts'
import { cssVariables, theme } from '#frame/theme.ts'

import { prefetchWhenIdle } from './prefetch.ts'
import { redirectToSignIn, router } from './routes.tsx'
import { installTrustedTypesPolicy } from './trusted-types.ts'

installTrustedTypesPolicy()
onSignedOut({ leave: redirectToSignIn, ask: () => void signInAgain('signed_out') })
prefetchWhenIdle(router)

const root = document.getElementById('root')
if (root === null) throw new Error('The page has no place for the console.')

createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={nonce}
    >
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
)
