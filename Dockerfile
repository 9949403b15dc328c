# epicene with its demo models and charts. Caches and data lie in /data: mount a volume there to keep them.
FROM python:3.13-slim
COPY packages /tmp/packages
RUN pip install --no-cache-dir /tmp/packages/epicene-models '/tmp/packages/epicene[translate,report,services]' \
    && rm -r /tmp/packages
ENV EPICENE_HOME=/data
RUN useradd --create-home epicene && mkdir /data && chown epicene /data
USER epicene
WORKDIR /home/epicene
ENTRYPOINT ["epicene"]
