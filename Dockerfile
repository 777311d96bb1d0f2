# The service in an image: docs/operating/installing.md, "Docker".
FROM node:26-slim AS installed
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The image has a Node, so that of the package (211 MB) is not needed.
RUN npm ci --omit=dev && rm -rf node_modules/node-linux-*
# The client for an archive in a bucket (ARCHIVE_URL).
COPY deploy/s3-client deploy/s3-client
RUN npm ci --prefix deploy/s3-client
COPY LICENSE THIRD_PARTY_NOTICES.md ./
COPY docs docs
COPY generated generated
COPY sample sample
COPY bin bin
COPY src src
COPY vendor vendor

FROM node:26-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data
RUN install -d -o node -g node /data
COPY --from=installed /app /app
WORKDIR /app
USER node
VOLUME /data
EXPOSE 8080
# Uses Node, because the image has no curl.
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "bin/openfilings.mjs"]
CMD ["serve"]
