# The server with its page, in a container: see docs/self-hosting.md.
FROM node:24-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run build:page && npm run build:report && npm run build:server && rm dist/server/run-tx.js

FROM node:24-bookworm-slim
LABEL org.opencontainers.image.title="Blinknet" \
      org.opencontainers.image.source="https://github.com/blinknet-owner/blinknet" \
      org.opencontainers.image.licenses="MIT"
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /build/LICENSE ./
COPY --from=build /build/dist/page dist/page
COPY --from=build /build/dist/report dist/report
COPY --from=build /build/dist/server dist/server
RUN install --directory --owner=node --group=node /data
USER node
VOLUME /data
EXPOSE 8545
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 CMD ["node", "-e", "fetch('http://127.0.0.1:8545', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"eth_chainId\"}' }).then((answer) => answer.json()).then(({ result }) => process.exit(result ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "dist/server/main.js", "--host", "0.0.0.0"]
CMD ["--data", "/data"]
